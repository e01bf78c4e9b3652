import type { Db } from '../../../shared/db/prisma.ts';

/** The number of index entries of transmissions read so far, plus rows read by sequential scans. Other active connections distort it. */
export async function countIndexReads(db: Db): Promise<number> {
  await db.$executeRaw`SELECT pg_stat_force_next_flush()`;
  const [sum] = await db.$queryRaw<{ read: number }[]>`
    SELECT (sum(idx_tup_read) + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'transmissions'))::int AS read
    FROM pg_stat_user_indexes WHERE relname = 'transmissions'`;
  return sum?.read ?? Number.NaN;
}
