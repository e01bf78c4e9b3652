import { createHash, randomBytes } from 'node:crypto';
import type { Scope } from '../../contract/enums.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../contract/machine/token.ts';
import type { RawDb, RawTx } from '../../db/prisma.ts';

const TOKEN_BYTES = 32;
/** How an access token looks: 256 bits in base64url. */
export const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
/** Expired tokens stay so long, as a sign that requests were signed lately (D19). */
export const TOKEN_TRACE_SECONDS = 3_600;

export interface TokenGrant {
  readonly apiClientId: string;
  /** Of the client's row when it was checked. */
  readonly clientVersion: number;
  readonly scopes: readonly Scope[];
  readonly now: Date;
}

/**
 * Issues a token; only its hash is stored (D18). Undefined when the client has changed since it was checked: it is to be checked
 * again. The lock makes a revocation and this one wait for each other, so that no token is stored behind its back.
 */
export async function issueAccessToken(
  db: RawDb,
  { apiClientId, clientVersion, scopes, now }: TokenGrant,
): Promise<string | undefined> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(now.getTime() + TOKEN_LIFETIME_SECONDS * 1_000);
  const stored = await db.$executeRaw`
    INSERT INTO access_tokens (token_hash, api_client_id, scopes, issued_at, expires_at)
    SELECT ${hashAccessToken(token)}, id, ${[...scopes]}::text[], ${now}::timestamptz, ${expiresAt}::timestamptz
    FROM api_clients WHERE id = ${apiClientId}::uuid AND version = ${clientVersion} FOR SHARE`;
  return stored === 1 ? token : undefined;
}

export function hashAccessToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** Ends every token of the client; the rows stay as a trace, like those that expired by themselves. Returns how many were alive. */
export async function revokeAccessTokens(
  tx: RawTx,
  apiClientId: string,
  now: Date,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE access_tokens SET expires_at = ${now}::timestamptz
    WHERE api_client_id = ${apiClientId}::uuid AND expires_at > ${now}::timestamptz`;
}

/** One bounded pass over tokens that expired long enough ago. Returns the number of rows removed. */
export async function pruneAccessTokens(db: RawDb, now: Date, rowsMax: number): Promise<number> {
  const before = new Date(now.getTime() - TOKEN_TRACE_SECONDS * 1_000);
  return db.$executeRaw`
    DELETE FROM access_tokens WHERE token_hash IN (
      SELECT token_hash FROM access_tokens WHERE expires_at <= ${before}::timestamptz ORDER BY expires_at LIMIT ${rowsMax}
    )`;
}
