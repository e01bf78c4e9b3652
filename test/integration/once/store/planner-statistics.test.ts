import { Client } from 'pg';
import { GROWING_TABLES } from '../../../env/records/growing-tables.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

// What a dump lets grow by a tenth every few seconds is looked at seldom and by small samples, as it is done beside the workers.

/** PostgreSQL reads so many rows for each unit of the highest target of a table's columns and indexed expressions. */
const ROWS_OF_A_TARGET = 300;
const SAMPLE_MAX = 6_000;

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await makeTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it.each(GROWING_TABLES)('reads few rows of %s, whatever its columns', async (table) => {
  const { rows } = await client.query<{ column: string; rows: number }>(
    `SELECT a.attname AS column,
       coalesce(a.attstattarget, current_setting('default_statistics_target')::int) * $2::int AS rows
     FROM pg_attribute a
     WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid IN (
       SELECT $1::regclass UNION ALL
       SELECT indexrelid FROM pg_index WHERE indrelid = $1::regclass AND indexprs IS NOT NULL)`,
    [table, ROWS_OF_A_TARGET],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter((one) => one.rows > SAMPLE_MAX)).toEqual([]);
});

it('looks at them when half of a table has changed', async () => {
  const { rows } = await client.query<{ relname: string }>(
    `SELECT relname FROM pg_class
     WHERE relkind = 'r' AND 'autovacuum_analyze_scale_factor=0.5' = ANY(reloptions) ORDER BY relname`,
  );
  expect(rows.map(({ relname }) => relname)).toEqual(GROWING_TABLES.toSorted());
});
