import type { Db } from '../../../shared/db/prisma.ts';
import { openDb } from '../../../shared/db/prisma.ts';

/** What `read` gives, and how many entries of indexes and rows of tables read from end to end it took. */
export async function countingRows<Value>(
  databaseUrl: string,
  read: (db: Db) => Promise<Value>,
): Promise<{ readonly value: Value; readonly rowsRead: number }> {
  // One connection: the figures of others reach the table of statistics when they please.
  const db = openDb({ databaseUrl, poolMax: 1, applicationName: 'test' });
  try {
    await read(db);
    const before = await rowsRead(db);
    const value = await read(db);
    return { value, rowsRead: (await rowsRead(db)) - before };
  } finally {
    await db.$disconnect();
  }
}

/** Of the tables that hold the history of records. */
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
