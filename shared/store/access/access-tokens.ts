import { createHash, randomBytes } from 'node:crypto';
import type { Scope } from '../../contract/enums.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../contract/machine/token.ts';
import type { Db, Tx } from '../../db/prisma.ts';

const TOKEN_BYTES = 32;
/** The form of an access token: 256 bits in base64url. */
export const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
/** Expired tokens are kept this long, as evidence that clients signed requests recently (D19). */
export const TOKEN_TRACE_SECONDS = 3_600;

export interface TokenGrant {
  readonly apiClientId: string;
  /** The version of the client's row that was checked. */
  readonly clientVersion: number;
  readonly scopes: readonly Scope[];
  readonly now: Date;
}

/**
 * Issues a token; only its hash is stored (D18). Undefined when the client changed after it was checked: the caller must
 * check it again. The row lock serializes this with a revocation, so that a revocation never misses a new token.
 */
export async function issueAccessToken(
  db: Db,
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

/**
 * Expires every token of the client and keeps the rows, as for tokens that expired. Returns the number of tokens that
 * were valid.
 */
export async function revokeAccessTokens(tx: Tx, apiClientId: string, now: Date): Promise<number> {
  return tx.$executeRaw`
    UPDATE access_tokens SET expires_at = ${now}::timestamptz
    WHERE api_client_id = ${apiClientId}::uuid AND expires_at > ${now}::timestamptz`;
}

/**
 * Deletes at most `rowsMax` tokens that expired more than TOKEN_TRACE_SECONDS ago, and keeps when each client obtained the last of
 * them. Returns the number of deleted rows.
 */
export async function pruneAccessTokens(db: Db, now: Date, rowsMax: number): Promise<number> {
  const before = new Date(now.getTime() - TOKEN_TRACE_SECONDS * 1_000);
  const [counted] = await db.$queryRaw<{ deleted: number }[]>`
    WITH deleted AS (
      DELETE FROM access_tokens WHERE token_hash IN (
        SELECT token_hash FROM access_tokens WHERE expires_at <= ${before}::timestamptz ORDER BY expires_at LIMIT ${rowsMax})
      RETURNING api_client_id, issued_at
    ), kept AS (
      -- In the order of ids, so that two API processes cannot deadlock.
      INSERT INTO client_uses (api_client_id, last_at)
      SELECT api_client_id, max(issued_at) FROM deleted GROUP BY api_client_id ORDER BY api_client_id
      ON CONFLICT (api_client_id) DO UPDATE SET last_at = greatest(client_uses.last_at, excluded.last_at)
    )
    SELECT count(*)::int AS deleted FROM deleted`;
  return counted?.deleted ?? 0;
}

/** When each of the clients last obtained a token. A client that never did is left out. */
export async function findLastUses(
  db: Pick<Tx, '$queryRaw'>,
  apiClientIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.$queryRaw<{ id: string; lastAt: Date | null }[]>`
    SELECT asked.id::text, greatest(used.last_at, token.issued_at) AS "lastAt"
    FROM unnest(${apiClientIds}::uuid[]) AS asked (id)
    LEFT JOIN client_uses used ON used.api_client_id = asked.id
    LEFT JOIN LATERAL (
      SELECT issued_at FROM access_tokens WHERE api_client_id = asked.id ORDER BY issued_at DESC LIMIT 1) token ON true`;
  return new Map(rows.flatMap(({ id, lastAt }) => (lastAt === null ? [] : [[id, lastAt]])));
}
