import type { Request, Response } from 'express';
import type { Scope } from '../../../shared/contract/enums.ts';
import { AppError, type ErrorExtras } from '../../../shared/contract/errors.ts';
import { makeFinding } from '../../../shared/contract/findings.ts';
import {
  isSignatureOf,
  NONCE_PATTERN,
  SIGNATURE_HEADER_NAMES,
  SIGNATURE_HEADERS,
  SIGNATURE_PATTERN,
  TIMESTAMP_PATTERN,
  TIMESTAMP_SKEW_SECONDS,
} from '../../../shared/contract/machine/signing.ts';
import { hashAccessToken, TOKEN_PATTERN } from '../../../shared/store/access/access-tokens.ts';
import { openSigningSecret, type TokenHolder } from '../../../shared/store/access/clients.ts';
import type { ApiContext } from '../../context.ts';
import { readBody } from '../../http/body/read-body.ts';
import { flawOfHeader, requestContextOf, singleHeader } from '../../http/request-context.ts';
import { requireAddress, requireAllowedAddress } from '../caller-address.ts';
import { claimOf } from '../note-refusal.ts';
import { requireAllowed } from '../rate-limit.ts';
import type { Submitter } from './submitter.ts';

export interface AuthenticatedSubmitter {
  readonly submitter: Submitter;
  /** The raw bytes that the signature covers. */
  readonly body: Buffer;
}

/**
 * The gate (D19): token → client id → ACTIVE → allowlist → timestamp → signature → nonce → rate limit → scope.
 * The first step that fails answers, and nothing of a later one happens: who can't sign burns no nonce and no quota.
 * Sets the rate headers of the answer (D20). From the signature on, organizations take turns.
 * @throws {AppError} the code of the failed step
 */
export async function authenticateSubmitter(
  context: ApiContext,
  request: Request,
  response: Response,
  scope: Scope,
): Promise<AuthenticatedSubmitter> {
  const requestContext = requestContextOf(response);
  requestContext.claimedClientId = claimOf(singleHeader(request, SIGNATURE_HEADERS.clientId));
  const holder = await requireToken(context, request);
  requestContext.clientId = holder.clientId;
  requireActive(holder);
  requireAllowedAddress(holder, requireAddress(requestContext));
  const timestamp = requireTimestamp(context, request);
  const body = await readBody(request);
  return context.turns.run(holder.organizationId, async () => {
    const nonce = requireSignature(context, request, holder, timestamp, body);
    await requireFreshNonce(context, holder, nonce, Number(timestamp));
    const limit = await context.limits.takeClient(holder);
    for (const [name, value] of Object.entries(limit.headers)) response.setHeader(name, value);
    requireAllowed(limit, `client ${holder.clientId}`);
    requireScope(holder, scope);
    return { submitter: submitterOf(holder), body };
  });
}

async function requireToken({ roundTrips }: ApiContext, request: Request): Promise<TokenHolder> {
  const authorization = singleHeader(request, 'authorization') ?? '';
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined || !TOKEN_PATTERN.test(token)) {
    const message = flawOfHeader(request, 'Authorization', TOKEN_RULE);
    throw invalidToken('no bearer token, or a malformed one', message);
  }
  const holder = await roundTrips.findTokenHolder(hashAccessToken(token).toString('hex'));
  if (holder === undefined) throw invalidToken('token is unknown or expired');
  const clientId = singleHeader(request, SIGNATURE_HEADERS.clientId);
  if (clientId !== holder.clientId) {
    const message = flawOfHeader(request, SIGNATURE_HEADER_NAMES.clientId, CLIENT_ID_RULE);
    throw invalidToken(`token of ${holder.clientId} with another client id`, message);
  }
  return holder;
}

/** What each header must be, as its flaw is told to the caller. */
const TOKEN_RULE = 'Bearer and an access token of this registry';
const CLIENT_ID_RULE = 'the id of the client that the token was issued to';
const TIMESTAMP_RULE = 'the current Unix time in whole seconds';
const NONCE_RULE = '16 to 64 visible ASCII characters, new for every request';
const SIGNATURE_RULE = '64 lowercase hexadecimal digits';

function invalidToken(reason: string, message?: string): AppError {
  return new AppError('INVALID_TOKEN', reason, {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    ...(message === undefined ? {} : { message }),
  });
}

function requireActive({ clientId, clientStatus }: TokenHolder): void {
  if (clientStatus !== 'ACTIVE') {
    throw new AppError('FORBIDDEN', `client ${clientId} is ${clientStatus}`, {
      message: 'The API client is not active.',
    });
  }
}

function requireTimestamp({ clock }: ApiContext, request: Request): string {
  const timestamp = singleHeader(request, SIGNATURE_HEADERS.timestamp) ?? '';
  const nowSeconds = Math.floor(clock.now().getTime() / 1_000);
  if (!TIMESTAMP_PATTERN.test(timestamp)) {
    throw new AppError('TIMESTAMP_OUT_OF_RANGE', 'timestamp is missing or malformed', {
      message: flawOfHeader(request, SIGNATURE_HEADER_NAMES.timestamp, TIMESTAMP_RULE),
    });
  }
  const aheadSeconds = Number(timestamp) - nowSeconds;
  if (Math.abs(aheadSeconds) > TIMESTAMP_SKEW_SECONDS)
    throw new AppError('TIMESTAMP_OUT_OF_RANGE', `timestamp is ${aheadSeconds} s ahead`);
  return timestamp;
}

/** Any signing secret that is valid now will do. Returns the nonce, which the signature covers. */
function requireSignature(
  { keyring }: ApiContext,
  request: Request,
  holder: TokenHolder,
  timestamp: string,
  body: Buffer,
): string {
  const nonce = singleHeader(request, SIGNATURE_HEADERS.nonce) ?? '';
  const signature = singleHeader(request, SIGNATURE_HEADERS.signature) ?? '';
  const refusal = (reason: string, extras: ErrorExtras = {}) =>
    new AppError('INVALID_SIGNATURE', `${reason}, client ${holder.clientId}`, extras);
  if (!NONCE_PATTERN.test(nonce)) {
    const message = flawOfHeader(request, SIGNATURE_HEADER_NAMES.nonce, NONCE_RULE);
    throw refusal('nonce is missing or malformed', { message });
  }
  if (!SIGNATURE_PATTERN.test(signature)) {
    const message = flawOfHeader(request, SIGNATURE_HEADER_NAMES.signature, SIGNATURE_RULE);
    throw refusal('signature is missing or malformed', { message });
  }
  const parts = { method: request.method, target: request.originalUrl, timestamp, nonce, body };
  const matches = holder.signingSecrets.some((secret) =>
    isSignatureOf(signature, openSigningSecret(keyring, holder.clientId, secret), parts),
  );
  if (!matches) throw refusal('signature does not match');
  return nonce;
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
