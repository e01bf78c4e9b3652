import type { Db, Tx } from '../../db/prisma.ts';
import { type Keyring, SealError } from '../../platform/secrets/sealing.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** Small enough that other transactions wait only briefly for a locked row. */
const PAGE_ROWS = 50;
/** Skipping millions of rows that are already resealed takes longer than the service's statement time-out. */
const SCAN_TIMEOUT_MS = 3_600_000;

export interface ResealReport {
  /** The number of values sealed again, by `table.column`. */
  readonly resealed: Readonly<Record<string, number>>;
  /** The values that no key opens, by `table.column`, with the reason for the first. */
  readonly unreadable: Readonly<
    Record<string, { readonly count: number; readonly reason: string }>
  >;
  /** The number of values that remain under each older key id. */
  readonly left: Readonly<Record<string, number>>;
}

interface SealedRow {
  readonly keys: readonly string[];
  readonly sealed: Uint8Array;
  readonly place: string;
}

/**
 * Seals every value again that is not sealed with the newest key, page by page, while the registry runs. The next pass handles
 * rows that are locked now. After an interruption, the next run continues with the remaining values.
 */
export async function resealAll(
  db: Db,
  keyring: Keyring,
  pageRows: number = PAGE_ROWS,
): Promise<ResealReport> {
  const resealed: Record<string, number> = {};
  const unreadable: Record<string, { count: number; reason: string }> = {};
  for (const column of SEALED_COLUMNS) {
    const name = `${column.table}.${column.column}`;
    for (let isDone = false; !isDone; ) {
      const pass = await resealColumn(db, keyring, column, pageRows);
      resealed[name] = (resealed[name] ?? 0) + pass.resealed;
      const [reason = ''] = pass.unreadable;
      if (pass.unreadable.length > 0) unreadable[name] = { count: pass.unreadable.length, reason };
      isDone = pass.resealed === 0;
    }
  }
  return { resealed, unreadable, left: await countByOtherKey(db, keyring.activeKeyId) };
}

/** One pass over a column in primary key order. `unreadable` has a reason for each value that no key opens. */
async function resealColumn(
  db: Db,
  keyring: Keyring,
  column: SealedColumn,
  pageRows: number,
): Promise<{ resealed: number; unreadable: string[] }> {
  let resealed = 0;
  const unreadable: string[] = [];
  let after: readonly string[] | undefined;
  for (;;) {
    const page: readonly SealedRow[] = await withLongTimeout(db, async (tx) => {
      const rows = await readPage(tx, keyring.activeKeyId, column, { after, limit: pageRows });
      const fresh = rows.flatMap((row) => {
        const sealed = sealAgain(keyring, row);
        if (typeof sealed === 'string') unreadable.push(sealed);
        return typeof sealed === 'string' ? [] : [{ ...row, sealed }];
      });
      await write(tx, column, fresh);
      resealed += fresh.length;
      return rows;
    });
    if (page.length < pageRows) return { resealed, unreadable };
    after = page.at(-1)?.keys;
  }
}

function withLongTimeout<Result>(db: Db, run: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT set_config('statement_timeout', ${String(SCAN_TIMEOUT_MS)}, true)`;
      return run(tx);
    },
    { timeout: SCAN_TIMEOUT_MS },
  );
}

/** The value sealed again, or the reason why no key opens it. */
function sealAgain(keyring: Keyring, { sealed, place }: SealedRow): Buffer | string {
  try {
    return keyring.seal(keyring.open(Buffer.from(sealed), place), place);
  } catch (error) {
    if (error instanceof SealError) return error.message;
    throw error;
  }
}

/** Locks the rows and skips those that another transaction has locked, so that no deadlock can arise. */
function readPage(
  tx: Tx,
  activeKeyId: string,
  { table, column, key, place, join = '', where = 'true' }: SealedColumn,
  { after, limit }: { after: readonly string[] | undefined; limit: number },
): Promise<SealedRow[]> {
  const keys = key.map(([name]) => `t.${name}`).join(', ');
  const texts = key.map(([name]) => `t.${name}::text`).join(', ');
  const cursor = key.map(([, type], at) => `$${at + 3}::${type}`).join(', ');
  return tx.$queryRawUnsafe<SealedRow[]>(
    `SELECT ARRAY[${texts}] AS keys, t.${column} AS sealed, ${place} AS place
     FROM ${table} t ${join}
     WHERE ${where} AND substring(t.${column} FROM 2 FOR octet_length($1::bytea)) <> $1::bytea
       ${after === undefined ? '' : `AND (${keys}) > (${cursor})`}
     ORDER BY ${keys} LIMIT $2::int FOR UPDATE OF t SKIP LOCKED`,
    keyIdHeader(activeKeyId),
    limit,
    ...(after ?? []),
  );
}

async function write(
  tx: Tx,
  { table, column, key }: SealedColumn,
  rows: readonly (SealedRow & { readonly sealed: Buffer })[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = key.map((_, at) => `k${at}`).join(', ');
  const columns = key.map((_, at) => `$${at + 2}::text[]`).join(', ');
  const isRow = key.map(([name, type], at) => `t.${name} = fresh.k${at}::${type}`).join(' AND ');
  await tx.$executeRawUnsafe(
    `UPDATE ${table} t SET ${column} = decode(fresh.sealed, 'base64')
     FROM unnest($1::text[], ${columns}) AS fresh (sealed, ${names}) WHERE ${isRow}`,
    rows.map(({ sealed }) => sealed.toString('base64')),
    ...key.map((_, at) => rows.map(({ keys }) => keys[at])),
  );
}

/** Bytes 2 and following of a value that was sealed with this key: the length of the key id, then the id. */
function keyIdHeader(keyId: string): Uint8Array<ArrayBuffer> {
  const id = Buffer.from(keyId, 'utf8');
  return new Uint8Array([id.length, ...id]);
}

async function countByOtherKey(db: Db, activeKeyId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, column, where = 'true' } of SEALED_COLUMNS) {
    const rows = await withLongTimeout(db, (tx) =>
      tx.$queryRawUnsafe<{ keyId: string; count: bigint }[]>(
        `SELECT convert_from(substring(t.${column} FROM 3 FOR get_byte(t.${column}, 1)), 'UTF8') AS "keyId", count(*)
         FROM ${table} t
         WHERE ${where} AND substring(t.${column} FROM 2 FOR octet_length($1::bytea)) <> $1::bytea GROUP BY 1`,
        keyIdHeader(activeKeyId),
      ),
    );
    for (const { keyId, count } of rows) counts[keyId] = (counts[keyId] ?? 0) + Number(count);
  }
  return counts;
}
