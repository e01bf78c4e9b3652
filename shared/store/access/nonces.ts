import { NONCE_LIFETIME_SECONDS } from '../../contract/machine/signing.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Db, Tx } from '../../db/prisma.ts';

/** `nonces` is the store of the embedded shape; `nonces_ahead` has a second copy of nonces with future timestamps (D19). */
export type NonceTable = 'nonces' | 'nonces_ahead';

/** The store that keeps a registry's nonces. */
export type NonceKeeper = 'postgres' | 'redis';

export interface NonceToUse {
  readonly clientId: string;
  readonly nonce: string;
  readonly timestampSeconds: number;
}

export interface TableUse {
  /** False when the nonce was already stored, or when its timestamp is not after `sinceSeconds` (table `nonces` only). */
  readonly recorded: boolean;
  /** The table has every nonce since this time; 0 when it was never lost. */
  readonly sinceSeconds: number;
}

/** Nonces are kept this much longer than required, so that a process with a slow clock refuses them, too. */
export const NONCE_MARGIN_SECONDS = 5;

/**
 * The row of this client id holds `sinceSeconds` as its nonce. No client has an empty id. The row vanishes when the table
 * is emptied.
 */
const SENTINEL_CLIENT = '';
const LOCK = 'nonces';

/**
 * Records nonces, usually in one statement, and returns one answer for each, in their order. Of a repeated nonce only the
 * first is recorded. When the table was emptied, it starts a new epoch first.
 */
export async function useNoncesInTable(
  db: Db,
  table: NonceTable,
  uses: readonly NonceToUse[],
  nowSeconds: number,
): Promise<TableUse[]> {
  const answers: TableUse[] = [];
  let left = uses.map((use, index) => ({ use, index }));
  while (left.length > 0) {
    const { distinct, repeated } = splitRepeated(left);
    const these = distinct.map(({ use }) => use);
    const { recorded, sinceSeconds } = await recordNonces(db, table, these, nowSeconds);
    distinct.forEach(({ index }, ordinal) => {
      answers[index] = { recorded: recorded.has(ordinal + 1), sinceSeconds };
    });
    left = repeated;
  }
  return answers;
}

/** An INSERT … ON CONFLICT must not contain the same key twice. */
function splitRepeated<One extends { readonly use: NonceToUse }>(
  ones: readonly One[],
): { distinct: One[]; repeated: One[] } {
  const seen = new Set<string>();
  const distinct: One[] = [];
  const repeated: One[] = [];
  for (const one of ones) {
    const key = JSON.stringify([one.use.clientId, one.use.nonce]);
    (seen.has(key) ? repeated : distinct).push(one);
    seen.add(key);
  }
  return { distinct, repeated };
}

interface Recorded {
  /** Positions in the given list, from 1. */
  readonly recorded: ReadonlySet<number>;
  readonly sinceSeconds: number;
}

async function recordNonces(
  db: Db,
  table: NonceTable,
  uses: readonly NonceToUse[],
  nowSeconds: number,
): Promise<Recorded> {
  const first = await tryNonces(db, table, uses, nowSeconds);
  if (first !== undefined) return first;
  await db.$transaction((tx) => beginIfEmptied(tx, table, nowSeconds));
  const second = await tryNonces(db, table, uses, nowSeconds);
  if (second === undefined) throw new Error(`${table} was emptied twice within one request`);
  return second;
}

/** Undefined when the table was emptied. Inserts in key order, so that two processes with the same nonces don't deadlock. */
async function tryNonces(
  db: Db,
  table: NonceTable,
  uses: readonly NonceToUse[],
  nowSeconds: number,
): Promise<Recorded | undefined> {
  const name = Prisma.raw(table);
  const expiresAt = new Date((nowSeconds + NONCE_LIFETIME_SECONDS + NONCE_MARGIN_SECONDS) * 1_000);
  const [row] = await db.$queryRaw<{ since: string; recorded: number[] }[]>`
    WITH sentinel AS (
      SELECT nonce::bigint AS since FROM ${name} WHERE client_id = ${SENTINEL_CLIENT}
    ), given AS (
      SELECT * FROM unnest(${uses.map(({ clientId }) => clientId)}::text[], ${uses.map(({ nonce }) => nonce)}::text[],
        ${uses.map(({ timestampSeconds }) => BigInt(timestampSeconds))}::bigint[])
        WITH ORDINALITY AS g (client_id, nonce, signed_at, place)
    ), used AS (
      INSERT INTO ${name} AS known (client_id, nonce, expires_at)
      SELECT client_id, nonce, ${expiresAt}::timestamptz FROM given, sentinel
      WHERE ${table === 'nonces_ahead'} OR signed_at > since
      ORDER BY client_id, nonce
      ON CONFLICT (client_id, nonce) DO UPDATE SET expires_at = excluded.expires_at
        WHERE known.expires_at <= to_timestamp(${nowSeconds}::bigint)
      RETURNING client_id, nonce
    )
    SELECT since::text, ARRAY(SELECT place::int FROM given JOIN used USING (client_id, nonce)) AS recorded
    FROM sentinel`;
  return row && { recorded: new Set(row.recorded), sinceSeconds: Number(row.since) };
}

/**
 * Registers the store that keeps the nonces. Each process calls it once, before its first request. `first-ever`: no token was
 * ever issued, so nothing can be replayed. `taken-over`: the other store kept the nonces until now. `kept`: no change.
 */
export async function claimNonceKeeping(
  db: Db,
  keeper: NonceKeeper,
  nowSeconds: number,
): Promise<'first-ever' | 'taken-over' | 'kept'> {
  return db.$transaction(async (tx) => {
    await lockNonces(tx);
    const [row] = await tx.$queryRaw<{ has_tokens: boolean; keepers: string[] }[]>`
      SELECT EXISTS (SELECT FROM access_tokens) AS has_tokens, ARRAY(SELECT store FROM nonce_keepers) AS keepers`;
    const isFirst = row?.has_tokens !== true;
    const isKept = row?.keepers.length === 1 && row.keepers[0] === keeper;
    if (!isKept) {
      await tx.$executeRaw`DELETE FROM nonce_keepers`;
      await tx.$executeRaw`INSERT INTO nonce_keepers (store) VALUES (${keeper})`;
      if (!isFirst) await tx.$executeRaw`DELETE FROM nonces WHERE client_id = ${SENTINEL_CLIENT}`;
    }
    const since = isFirst ? 0 : nowSeconds;
    await beginIfEmptied(tx, 'nonces', since);
    await beginIfEmptied(tx, 'nonces_ahead', since);
    if (isFirst) return 'first-ever';
    return isKept ? 'kept' : 'taken-over';
  });
}

/** No client id has a space in it. */
const PROBE = { clientId: 'readiness probe', nonce: 'probe' };
const PROBE_KEPT_SECONDS = 60;

/** Rejects while the table is not writable. */
export async function checkNoncesWritable(
  db: Db,
  table: NonceTable,
  nowSeconds: number,
): Promise<void> {
  const expiresAt = new Date((nowSeconds + PROBE_KEPT_SECONDS) * 1_000);
  await db.$executeRaw`
    INSERT INTO ${Prisma.raw(table)} (client_id, nonce, expires_at)
    VALUES (${PROBE.clientId}, ${PROBE.nonce}, ${expiresAt}::timestamptz)
    ON CONFLICT (client_id, nonce) DO UPDATE SET expires_at = excluded.expires_at`;
}

async function beginIfEmptied(tx: Tx, table: NonceTable, sinceSeconds: number): Promise<void> {
  await lockNonces(tx);
  const name = Prisma.raw(table);
  await tx.$executeRaw`
    INSERT INTO ${name} (client_id, nonce, expires_at)
    SELECT ${SENTINEL_CLIENT}, ${String(sinceSeconds)}, 'infinity'
    WHERE NOT EXISTS (SELECT FROM ${name} WHERE client_id = ${SENTINEL_CLIENT})`;
}

/** Two processes must not start an epoch of the same table with different times. */
async function lockNonces(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${LOCK}))`;
}

/** Deletes at most `rowsMax` expired nonces. Returns the number of deleted rows. */
export async function pruneNonces(
  db: Db,
  table: NonceTable,
  now: Date,
  rowsMax: number,
): Promise<number> {
  const name = Prisma.raw(table);
  return db.$executeRaw`
    DELETE FROM ${name} WHERE (client_id, nonce) IN (
      SELECT client_id, nonce FROM ${name} WHERE expires_at <= ${now}::timestamptz ORDER BY expires_at LIMIT ${rowsMax}
    )`;
}
