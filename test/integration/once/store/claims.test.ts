import { randomUUID } from 'node:crypto';
import { Client, DatabaseError } from 'pg';
import { uniqueNumber } from '../../../env/api/bodies.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

// Writers of one vehicle at the same moment meet at the rows of its identifiers (D9): at the primary key where it is new, else at
// the lock of the row. All go by the order of the keys, so that they queue up.

const WRITERS = 8;
const ROUNDS = 60;
const IDENTIFIERS = 20;
const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';

let database: TestDatabase;
let writers: Client[];
beforeEach(async () => {
  database = await makeTestDatabase();
  writers = await Promise.all(Array.from({ length: WRITERS }, connect));
  await writers[0]?.query(
    `ALTER TABLE certificate_vehicles DROP CONSTRAINT certificate_vehicles_certificate_id_fkey,
       DROP CONSTRAINT certificate_vehicles_vehicle_id_fkey`,
  );
});
afterEach(async () => {
  await endWriters();
  await database.drop();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  return client;
}

async function endWriters(): Promise<void> {
  await Promise.all(writers.map((writer) => writer.end()));
  writers = [];
}

interface Cover {
  readonly certificateId: string;
  readonly since: string;
  readonly until: string;
}
const coverOf = (year: number): Cover => ({
  certificateId: randomUUID(),
  since: `${year}-01-01`,
  until: `${year}-12-31`,
});

/** Registers a vehicle with identifiers that are `owned` by nobody yet, and `known` ones. */
async function claim(
  writer: Client,
  { owned = [], known = [] }: { owned?: readonly string[]; known?: readonly string[] },
  { certificateId, since, until }: Cover,
  vehicleId: string = randomUUID(),
): Promise<string> {
  const firsts = (of: readonly unknown[]) => of.map(() => 1);
  try {
    const { rows } = await writer.query<{ refused: string[] | null }>(
      `SELECT claim_coverage($1::bigint[], $2::smallint[], $3::int[], $4::text[], $5::text[], $3::int[], $6::bigint[],
         $7::int[], $8::bool[], $7::int[], '{}', '{}', $9::uuid[], $10::uuid[], $11::date[], $12::date[]) AS refused`,
      [
        owned,
        owned.map(() => 0),
        firsts(owned),
        owned.map(() => 'plateNumber'),
        owned.map(() => uniqueNumber('P')),
        known,
        firsts(known),
        known.map(() => true),
        [vehicleId],
        [certificateId],
        [since],
        [until],
      ],
    );
    return rows[0]?.refused === null ? 'granted' : 'refused';
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return 'behind';
    throw error;
  }
}

/** The vehicle stands on the certificate; neither needs a row of its own here. */
async function putOn(writer: Client, { certificateId }: Cover, vehicleId: string): Promise<void> {
  await writer.query(
    `INSERT INTO certificate_vehicles (certificate_id, ordinal, vehicle_id, registered, added_in_version)
     VALUES ($1, 0, $2, '{}', 1)`,
    [certificateId, vehicleId],
  );
}

/** Sessions hand their counts of deadlocks over when they end. */
async function readCounts(): Promise<unknown> {
  await endWriters();
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

/** Every writer begins somewhere else. */
const turned = (keys: readonly string[], by: number) => [...keys.slice(by), ...keys.slice(0, by)];

it('are had by one of eight writers of a new vehicle at the same moment, and none waits in a circle', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const owned = makeKeys();
    const ends = await Promise.all(
      writers.map((writer, by) => claim(writer, { owned: turned(owned, by) }, coverOf(2026))),
    );
    expect(ends.sort()).toEqual([...Array(WRITERS - 1).fill('behind'), 'granted']);
  }
  expect(await readCounts()).toEqual({ claims: ROUNDS * IDENTIFIERS, deadlocks: 0 });
});

it('are had by one of eight writers of a known vehicle for the same days, by all for other days, and none waits in a circle', async () => {
  const [first] = writers;
  for (let round = 0; round < ROUNDS; round += 1) {
    const known = makeKeys();
    if (first === undefined) throw new Error('there is no writer');
    expect(await claim(first, { owned: known }, coverOf(2020))).toBe('granted');
    const same = await Promise.all(
      writers.map((writer, by) => claim(writer, { known: turned(known, by) }, coverOf(2026))),
    );
    expect(same.sort()).toEqual(['granted', ...Array(WRITERS - 1).fill('refused')]);
    const apart = await Promise.all(
      writers.map((writer, by) => claim(writer, { known: turned(known, by) }, coverOf(2030 + by))),
    );
    expect(apart).toEqual(Array(WRITERS).fill('granted'));
  }
  const covers = 2 + WRITERS;
  expect(await readCounts()).toEqual({ claims: ROUNDS * IDENTIFIERS * covers, deadlocks: 0 });
});

it('are given up by four writers while four others claim them for other days, and none waits in a circle', async () => {
  const [first] = writers;
  if (first === undefined) throw new Error('there is no writer');
  for (let round = 0; round < ROUNDS; round += 1) {
    const [known, vehicleId] = [makeKeys(), randomUUID()];
    expect(await claim(first, { owned: known }, coverOf(2020), vehicleId)).toBe('granted');
    const leaving = [2021, 2022, 2023, 2024].map(coverOf);
    for (const cover of leaving) {
      expect(await claim(first, { known }, cover)).toBe('granted');
      await putOn(first, cover, vehicleId);
    }
    const ends = await Promise.all(
      writers.map(async (writer, by) => {
        const cover = leaving[by];
        if (cover === undefined)
          return claim(writer, { known: turned(known, by) }, coverOf(2030 + by));
        await writer.query('SELECT give_up_claims($1, $2)', [cover.certificateId, []]);
        return 'given up';
      }),
    );
    expect(ends).toEqual([...Array(4).fill('given up'), ...Array(4).fill('granted')]);
  }
  expect(await readCounts()).toEqual({ claims: ROUNDS * IDENTIFIERS * 5, deadlocks: 0 });
});

describe('the row of an identifier', () => {
  const insert = async (covers: readonly string[], rank = 0) => {
    try {
      await writers[0]?.query(
        `INSERT INTO vehicle_identifiers (key, rank, vehicle_id, kind, value, covered_by, covers)
         VALUES ((random() * 1e15)::bigint, $2, gen_random_uuid(), 'plateNumber', 'P1', $3, $1::daterange[])`,
        [covers, rank, covers.map(() => randomUUID())],
      );
      return 'kept';
    } catch (error) {
      if (error instanceof DatabaseError && error.code === CHECK_VIOLATION) return 'refused';
      throw error;
    }
  };

  it.each([
    [[], 'kept'],
    [['[2026-01-01,2026-12-31]'], 'kept'],
    [['[2026-01-01,2026-12-31]', '[2027-01-01,2027-12-31]'], 'kept'],
    [['[2026-01-01,2026-12-31]', '[2026-12-31,2027-12-31]'], 'refused'],
    [['[2027-01-01,2027-12-31]', '[2026-01-01,2027-01-01]'], 'refused'],
    [['[2026-01-01,2026-12-31]', '[2026-05-01,2026-05-02]'], 'refused'],
    [['[2028-01-01,2028-12-31]', '[2026-01-01,2026-12-31]', '[2027-01-01,2027-12-31]'], 'kept'],
    [['[2028-01-01,2028-12-31]', '[2026-01-01,2026-12-31]', '[2026-12-31,2027-12-31]'], 'refused'],
    [['[2026-01-01,2026-12-31]', '[2028-01-01,2028-12-31]', '[2026-12-31,2027-12-31]'], 'refused'],
  ])('with the covers %j is %s', async (covers, end) => {
    expect(await insert(covers)).toBe(end);
  });

  it('is refused with a cover where it is not that of the first owner', async () => {
    expect(await insert(['[2026-01-01,2026-12-31]'], 1)).toBe('refused');
    expect(await insert([], 1)).toBe('kept');
  });
});
