import type { Request, Response } from 'express';
import type { Scope } from '../../../shared/contract/enums.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { makeFinding } from '../../../shared/contract/findings.ts';
import { SIGNATURE_HEADERS } from '../../../shared/contract/machine/signing.ts';
import type { TokenHolder } from '../../../shared/store/access/clients.ts';
import type { ApiContext } from '../../context.ts';
import { readBody } from '../../http/body/read-body.ts';
import { requestContextOf, singleHeader } from '../../http/request-context.ts';
import { requireAddress, requireAllowedAddress } from '../caller-address.ts';
import { claimOf } from '../note-refusal.ts';
import { type Quota, requireAllowed } from '../rate-limit.ts';
import { requireSignature, requireTimestamp } from './require-signature.ts';
import { requireToken } from './require-token.ts';
import type { Submitter } from './submitter.ts';

export interface AuthenticatedSubmitter {
  readonly submitter: Submitter;
  readonly quota: Quota;
  /** The raw bytes that the signature covers. */
  readonly body: Buffer;
}

/**
 * The authentication steps (D19): token → client id → ACTIVE → allowlist → timestamp → signature → nonce → rate limit →
 * scope. The first step that fails answers, and later steps do nothing: a caller who cannot sign uses no nonce and no
 * quota. Sets the rate headers of the answer (D20). The tenant limiter covers the steps from the signature on.
 * @throws {AppError} the code of the failed step
 */
export async function authenticateSubmitter(
  context: ApiContext,
  request: Request,
  response: Response,
  scope: Scope | null,
): Promise<AuthenticatedSubmitter> {
  const requestContext = requestContextOf(response);
  requestContext.claimedClientId = claimOf(singleHeader(request, SIGNATURE_HEADERS.clientId));
  const holder = await requireToken(context, request);
  requestContext.clientId = holder.clientId;
  requireActive(holder);
  requireAllowedAddress(holder, requireAddress(requestContext));
  const timestamp = requireTimestamp(context, request);
  const body = await readBody(request);
  return context.tenantLimiter.run(holder.organizationId, async () => {
    const nonce = requireSignature(context, request, holder, timestamp, body);
    await requireFreshNonce(context, holder, nonce, Number(timestamp));
    const limit = await context.limits.takeClient(holder);
    for (const [name, value] of Object.entries(limit.headers)) response.setHeader(name, value);
    requireAllowed(limit, `client ${holder.clientId}`);
    if (scope !== null) requireScope(holder, scope);
    const { remaining, resetSeconds } = limit;
    return { submitter: submitterOf(holder), quota: { remaining, resetSeconds }, body };
  });
}

function requireActive({ clientId, clientStatus }: TokenHolder): void {
  if (clientStatus !== 'ACTIVE') {
    throw new AppError('FORBIDDEN', `client ${clientId} is ${clientStatus}`, {
      message: 'The API client is not active.',
    });
  }
}

async function requireFreshNonce(
  { nonces }: ApiContext,
  { clientId }: TokenHolder,
  nonce: string,
  timestampSeconds: number,
): Promise<void> {
  const use = await nonces.use(clientId, nonce, timestampSeconds);
  switch (use) {
    case 'fresh':
      return;
    case 'reused':
      throw new AppError('NONCE_REUSED', `client ${clientId} used this nonce before`);
    case 'before-epoch':
      throw new AppError(
        'TIMESTAMP_OUT_OF_RANGE',
        `client ${clientId} signed before the nonce store lost its memory`,
      );
    default:
      use satisfies never;
  }
}

function requireScope({ clientId, tokenScopes }: TokenHolder, scope: Scope): void {
  if (tokenScopes.includes(scope)) return;
  throw new AppError('FORBIDDEN', `client ${clientId} lacks ${scope}`, {
    details: [makeFinding('MISSING_SCOPE', null, `This operation needs the scope ${scope}.`)],
  });
}

function submitterOf(holder: TokenHolder): Submitter {
  return {
    clientId: holder.clientId,
    apiClientId: holder.apiClientId,
    clientName: holder.clientName,
    organizationId: holder.organizationId,
    organizationCode: holder.organizationCode,
    organizationType: holder.organizationType,
    organizationStatus: holder.organizationStatus,
    scopes: holder.tokenScopes,
    rateLimitPerMinute: holder.rateLimitPerMinute,
  };
}
