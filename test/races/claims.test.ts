import { randomUUID } from 'node:crypto';
import { Client, DatabaseError } from 'pg';
import { uniqueNumber } from '../env/bodies.ts';
import { makeTestDatabase, type TestDatabase } from '../env/postgres.ts';

// Claims are inserted without looking first (D9). Two writers who both insert one and then look for others wait for each other,
// and the database ends one of them after a second. Writers of a new vehicle's identifiers meet at these before.

const WRITERS = 8;
const ROUNDS = 60;
const IDENTIFIERS = 20;
const UNIQUE_VIOLATION = '23505';

let database: TestDatabase;
let writers: Client[];
beforeAll(async () => {
  database = await makeTestDatabase();
  writers = await Promise.all(Array.from({ length: WRITERS }, connect));
});
afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.end()));
  await database.drop();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return client;
}

/** What registering a new vehicle with these identifiers writes of them. */
async function claim(writer: Client, keys: readonly string[]): Promise<string> {
  const ones = keys.map(() => 1);
  const values = keys.map(() => uniqueNumber('P'));
  const certificateId = randomUUID();
  try {
    const { rows } = await writer.query<{ refused: string[] | null }>(
      `SELECT claim_coverage($1::bigint[], $2::smallint[], $3::int[], $4::text[], $5::text[], $1::bigint[], $3::int[],
         $3::int[], $6::uuid[], $7::uuid[], '{2026-01-01}', '{2026-12-31}', $7::uuid[], $8::int[]) AS refused`,
      [
        keys,
        keys.map(() => 0),
        ones,
        keys.map(() => 'plateNumber'),
        values,
        [randomUUID()],
        [certificateId],
        [keys.length],
      ],
    );
    return rows[0]?.refused === null ? 'granted' : 'refused';
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return 'behind';
    throw error;
  }
}

/** Sessions hand their counts of deadlocks over when they end. */
async function readCounts(): Promise<unknown> {
  const client = await connect();
  try {
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM coverage_claims) AS claims, deadlocks::int
       FROM pg_stat_database WHERE datname = current_database()`,
    );
    return rows[0];
  } finally {
    await client.end();
  }
}

/** Any, in any order. */
const makeKeys = () =>
  Array.from({ length: IDENTIFIERS }, () =>
    String(BigInt.asIntN(64, BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 16)}`))),
  );

it('are had by one of eight writers of a new vehicle at the same moment, and none waits in a circle', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const keys = makeKeys();
    const ends = await Promise.all(writers.map((writer) => claim(writer, keys)));
    expect(ends.sort()).toEqual([...Array(WRITERS - 1).fill('behind'), 'granted']);
  }
  await Promise.all(writers.map((writer) => writer.end()));
  writers = [];
  expect(await readCounts()).toEqual({ claims: ROUNDS * IDENTIFIERS, deadlocks: 0 });
});
