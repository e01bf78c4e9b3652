import type { Db } from '../../../shared/db/prisma.ts';

/** Entries of the indexes of transmissions read so far, and rows of the table read from end to end; by this connection, if no other is at work. */
export async function entriesRead(db: Db): Promise<number> {
  await db.$executeRaw`SELECT pg_stat_force_next_flush()`;
  const [sum] = await db.$queryRaw<{ read: number }[]>`
    SELECT (sum(idx_tup_read) + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'transmissions'))::int AS read
    FROM pg_stat_user_indexes WHERE relname = 'transmissions'`;
  return sum?.read ?? Number.NaN;
}
