import { SCOPES, type Scope } from '../../shared/contract/enums.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { makeFinding } from '../../shared/contract/findings.ts';
import { TOKEN_LIFETIME_SECONDS, type TokenResponse } from '../../shared/contract/token.ts';
import { issueAccessToken } from '../../shared/store/access-tokens.ts';
import { findClientForToken, isClientSecret } from '../../shared/store/clients.ts';
import type { ApiContext } from '../context.ts';
import { invalidCredentials } from '../edge/admit-credentials.ts';
import type { Answer } from '../edge/respond.ts';
import type { Admitted } from '../edge/route.ts';

/** OAuth 2.0 client credentials (D18). Whether a client exists is told neither by the answer nor by its time. */
export async function issueToken(
  { db, clock, config }: ApiContext,
  { body }: Admitted<'issueToken'>,
): Promise<Answer> {
  const { client_id: clientId, client_secret: clientSecret, scope } = body;
  const now = clock.now();
  const found = await findClientForToken(db, clientId, now);
  const isRight = isClientSecret(
    clientSecret,
    found?.secretHashes ?? [],
    config.clientSecretPepper,
  );
  if (found === undefined || !isRight) throw invalidCredentials('client id or secret is wrong');
  const { client } = found;
  if (client.clientStatus !== 'ACTIVE') {
    throw new AppError('FORBIDDEN', `client ${clientId} is ${client.clientStatus}`, {
      message: 'The API client is not active.',
    });
  }
  const scopes = grantedScopes(scope, client.scopes);
  const data: TokenResponse = {
    access_token: await issueAccessToken(db, { apiClientId: client.apiClientId, scopes, now }),
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope: scopes.join(' '),
  };
  return { status: 200, data, headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' } };
}

/** Those asked for, each once, or all the client's when none is asked for. @throws {AppError} FORBIDDEN with MISSING_SCOPE */
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
