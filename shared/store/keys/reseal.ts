import type { Db, Tx } from '../../db/prisma.ts';
import { type Keyring, SealError } from '../../platform/secrets/sealing.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** Small enough that nobody waits long for a row that is being sealed again. */
const PAGE_ROWS = 50;
/** To pass over millions of rows that are done already takes longer than any statement of the service may. */
const SCAN_TIMEOUT_MS = 3_600_000;

export interface ResealReport {
  /** Values sealed again, by `table.column`. */
  readonly resealed: Readonly<Record<string, number>>;
  /** Values that no key opens, by `table.column`, with the reason of the first. */
  readonly unreadable: Readonly<
    Record<string, { readonly count: number; readonly reason: string }>
  >;
  /** Values left under each key id, the newest key's left out. */
  readonly left: Readonly<Record<string, number>>;
}

interface SealedRow {
  readonly keys: readonly string[];
  readonly sealed: Uint8Array;
  readonly place: string;
}

/**
 * Seals every value again that is not sealed under the newest key, page by page while the registry runs. Rows that somebody
 * else has locked are left for the next pass. Interrupted at any time, the next run goes on with what is left.
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

/** One pass over a column in the order of its primary key. `unreadable` has a reason for each value that no key opens. */
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
    const page: readonly SealedRow[] = await unhurried(db, async (tx) => {
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

function unhurried<Result>(db: Db, run: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT set_config('statement_timeout', ${String(SCAN_TIMEOUT_MS)}, true)`;
      return run(tx);
    },
    { timeout: SCAN_TIMEOUT_MS },
  );
}

/** Why not, where no key opens it. */
function sealAgain(keyring: Keyring, { sealed, place }: SealedRow): Buffer | string {
  try {
    return keyring.seal(keyring.open(Buffer.from(sealed), place), place);
  } catch (error) {
    if (error instanceof SealError) return error.message;
    throw error;
  }
}

/** Locks the rows; those that somebody else has locked are passed over, so that nobody waits for a lock in a circle. */
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

/** The bytes that follow the first one of a value sealed under this key: the length of the id and the id. */
function keyIdHeader(keyId: string): Uint8Array<ArrayBuffer> {
  const id = Buffer.from(keyId, 'utf8');
  return new Uint8Array([id.length, ...id]);
}

async function countByOtherKey(db: Db, activeKeyId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, column, where = 'true' } of SEALED_COLUMNS) {
    const rows = await unhurried(db, (tx) =>
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
