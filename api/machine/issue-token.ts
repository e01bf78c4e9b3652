import { SCOPES, type Scope } from '../../shared/contract/enums.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { makeFinding } from '../../shared/contract/findings.ts';
import { TOKEN_LIFETIME_SECONDS, type TokenResponse } from '../../shared/contract/machine/token.ts';
import { issueAccessToken } from '../../shared/store/access/access-tokens.ts';
import {
  findClientForToken,
  matchClientSecret,
  rehashClientSecret,
} from '../../shared/store/access/clients.ts';
import { requireAllowedAddress } from '../auth/caller-address.ts';
import { invalidCredentials } from '../auth/machine/authenticate-credentials.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';
import type { MachineRequest } from './request.ts';

type TokenBody = MachineRequest<'issueToken'>['body'];

/** Reached only if the client changes this many times between the check and the token. */
const GRANTS_MAX = 5;

/**
 * OAuth 2.0 client credentials (D18). Neither the answer nor its time shows whether a client exists. The client's status and
 * allowlist are checked before the scopes, in the order of the authentication steps (D19).
 */
export async function issueToken(
  context: ApiContext,
  { body, address }: MachineRequest<'issueToken'>,
): Promise<Answer> {
  for (let grants = 0; grants < GRANTS_MAX; grants += 1) {
    const data = await grantToken(context, body, address);
    if (data === undefined) continue;
    return { status: 200, data, headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' } };
  }
  throw new AppError('INTERNAL_ERROR', `client ${body.client_id} changes with every check`);
}

/** Undefined when the client changed after its check, because the check may no longer hold. */
async function grantToken(
  { db, clock, config }: ApiContext,
  { client_id: clientId, client_secret: clientSecret, scope }: TokenBody,
  address: string,
): Promise<TokenResponse | undefined> {
  const now = clock.now();
  const found = await findClientForToken(db, clientId, now);
  const peppers = config.clientSecretPepper;
  const matched = matchClientSecret(clientSecret, found?.secretHashes ?? [], peppers);
  if (found === undefined || matched === undefined)
    throw invalidCredentials('client id or secret is wrong');
  const { apiClientId, clientVersion, clientStatus, scopes: held } = found.client;
  if (clientStatus !== 'ACTIVE') {
    throw new AppError('FORBIDDEN', `client ${clientId} is ${clientStatus}`, {
      message: 'The API client is not active.',
    });
  }
  requireAllowedAddress(found.client, address);
  const [pepper] = peppers;
  if (matched.pepper.id !== pepper.id)
    await rehashClientSecret(db, apiClientId, clientSecret, { matched, pepper });
  const scopes = grantedScopes(scope, held);
  const token = await issueAccessToken(db, { apiClientId, clientVersion, scopes, now });
  if (token === undefined) return undefined;
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope: scopes.join(' '),
  };
}

/** The requested scopes, each once, or all scopes of the client when none is requested. @throws {AppError} FORBIDDEN with MISSING_SCOPE */
function grantedScopes(asked: string | undefined, held: readonly Scope[]): readonly Scope[] {
  const names = new Set((asked ?? '').split(' ').filter((name) => name !== ''));
  if (names.size === 0) return held;
  const granted = held.filter((scope) => names.has(scope));
  if (granted.length === names.size) return granted;
  const missing = SCOPES.filter((scope) => names.has(scope) && !held.includes(scope));
  const unknown = granted.length + missing.length < names.size;
  throw new AppError('FORBIDDEN', 'a scope was asked for that the client does not hold', {
    details: [
      ...missing.map((scope) =>
        makeFinding('MISSING_SCOPE', 'scope', `The client does not hold the scope ${scope}.`),
      ),
      ...(unknown
        ? [makeFinding('MISSING_SCOPE', 'scope', `A scope is none of ${SCOPES.join(', ')}.`)]
        : []),
    ],
  });
}
