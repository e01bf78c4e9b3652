import { NONCE_LIFETIME_SECONDS } from '../../contract/machine/signing.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { RawDb, RawTx } from '../../db/prisma.ts';

/** The table that is the store without Redis, and the one with the second copy of nonces that lie ahead (D19). */
export type NonceTable = 'nonces' | 'nonces_ahead';

/** Where a registry keeps its nonces. */
export type NonceKeeper = 'postgres' | 'redis';

export interface NonceToUse {
  readonly clientId: string;
  readonly nonce: string;
  readonly timestampSeconds: number;
}

export interface TableUse {
  /** False when the nonce was there, or when its timestamp is not after `sinceSeconds` in the table `nonces`. */
  readonly recorded: boolean;
  /** Since when the table has seen every nonce; 0 from the beginning. */
  readonly sinceSeconds: number;
}

/** Kept a little longer than demanded, so that a process whose clock runs behind refuses it, too. */
export const NONCE_MARGIN_SECONDS = 5;

/** No client has an empty id. The row's nonce is `sinceSeconds`, and it goes when the table is emptied. */
const SENTINEL_CLIENT = '';
const LOCK = 'nonces';

/**
 * Records nonces, one answer each in their order; usually in one statement. A nonce that comes twice is recorded for
 * the first one. A table that is found emptied begins anew first, now.
 */
export async function useNoncesInTable(
  db: RawDb,
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

/** One statement can't meet a row of its own. */
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
  /** Places in the list that was given, from 1. */
  readonly recorded: ReadonlySet<number>;
  readonly sinceSeconds: number;
}

async function recordNonces(
  db: RawDb,
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

/** Undefined when the table was emptied. Written in one order, so that two processes with the same nonces queue up. */
async function tryNonces(
  db: RawDb,
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
 * Called once a process, before the first request. `first-ever`: no token was ever issued, so there is nothing to
 * replay. `taken-over`: the other keeper had the nonces until now. `kept`: as before.
 */
export async function claimNonceKeeping(
  db: RawDb,
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

/** Rejects while the table takes no nonces. */
export async function checkNoncesWritable(
  db: RawDb,
  table: NonceTable,
  nowSeconds: number,
): Promise<void> {
  const expiresAt = new Date((nowSeconds + PROBE_KEPT_SECONDS) * 1_000);
  await db.$executeRaw`
    INSERT INTO ${Prisma.raw(table)} (client_id, nonce, expires_at)
    VALUES (${PROBE.clientId}, ${PROBE.nonce}, ${expiresAt}::timestamptz)
    ON CONFLICT (client_id, nonce) DO UPDATE SET expires_at = excluded.expires_at`;
}

async function beginIfEmptied(tx: RawTx, table: NonceTable, sinceSeconds: number): Promise<void> {
  await lockNonces(tx);
  const name = Prisma.raw(table);
  await tx.$executeRaw`
    INSERT INTO ${name} (client_id, nonce, expires_at)
    SELECT ${SENTINEL_CLIENT}, ${String(sinceSeconds)}, 'infinity'
    WHERE NOT EXISTS (SELECT FROM ${name} WHERE client_id = ${SENTINEL_CLIENT})`;
}

/** Two processes must not begin the same table with two moments. */
async function lockNonces(tx: RawTx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${LOCK}))`;
}

/** One bounded pass. Returns the number of rows removed. */
export async function pruneNonces(
  db: RawDb,
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
