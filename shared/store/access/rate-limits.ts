import type { Db } from '../../db/prisma.ts';

/** rate-limiter-flexible writes this table and prescribes its columns. */
export const RATE_LIMITS_TABLE = 'rate_limits';

/** Runs a statement of rate-limiter-flexible on our connections; it expects times as numbers. */
export async function queryRateLimits(
  db: Db,
  { text, values }: { text: string; values: unknown[] },
): Promise<{ rows: object[] }> {
  const rows = await db.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values);
  return {
    rows: rows.map((row) => ({
      ...row,
      ...(typeof row['expire'] === 'bigint' ? { expire: Number(row['expire']) } : {}),
    })),
  };
}

/** Deletes at most `rowsMax` windows that ended. Returns the number of deleted rows. */
export async function pruneRateLimits(db: Db, now: Date, rowsMax: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM rate_limits WHERE key IN (
      SELECT key FROM rate_limits WHERE expire <= ${now.getTime()}::bigint LIMIT ${rowsMax}
    )`;
}
