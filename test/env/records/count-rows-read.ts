import type { Db } from '../../../shared/db/prisma.ts';
import { openDb } from '../../../shared/db/prisma.ts';

const COUNTS = 3;

/**
 * Returns the result of `read` and the number of index entries and of sequentially scanned rows that it read. PostgreSQL adds up
 * these numbers over all connections, and an idle one may report its own up to 10 s late, so the smallest of three counts is
 * returned.
 */
export async function countRowsRead<Value>(
  databaseUrl: string,
  read: (db: Db) => Promise<Value>,
): Promise<{ readonly value: Value; readonly rowsRead: number }> {
  // One connection, so that its own numbers are reported before they are read.
  const db = openDb({ databaseUrl, poolMax: 1, applicationName: 'test' });
  try {
    let value = await read(db);
    let least = Number.POSITIVE_INFINITY;
    for (let count = 0; count < COUNTS; count += 1) {
      const before = await rowsRead(db);
      value = await read(db);
      least = Math.min(least, (await rowsRead(db)) - before);
    }
    return { value, rowsRead: least };
  } finally {
    await db.$disconnect();
  }
}

/** The tables of the history of records. */
const TABLES = [
  'amendments',
  'certificate_vehicles',
  'certificate_versions',
  'certificates',
  'flags',
  'transmissions',
];

async function rowsRead(db: Db): Promise<number> {
  await db.$executeRaw`SELECT pg_stat_force_next_flush()`;
  const [sum] = await db.$queryRaw<{ read: number }[]>`
    SELECT ((SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = ANY(${TABLES}))
      + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = ANY(${TABLES})))::int AS read`;
  return sum?.read ?? Number.NaN;
}
