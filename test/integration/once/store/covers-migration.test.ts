import type { Client } from 'pg';
import {
  makeDatabaseBefore,
  type UnmigratedDatabase,
} from '../../../env/servers/unmigrated-database.ts';

// A registry that kept its claims in rows of their own keeps every one of them when they move to the identifiers (D9).

const MIGRATION = '20261124100000_covers_of_identifiers';
const VEHICLE = '00000000-0000-4000-8000-00000000000a';
const [FIRST, SECOND] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
] as const;

let database: UnmigratedDatabase;
let client: Client;
beforeEach(async () => {
  database = await makeDatabaseBefore(MIGRATION);
  ({ client } = database);
  await client.query(
    `INSERT INTO vehicle_identifiers (key, rank, vehicle_id, kind, value)
     VALUES (1, 0, '${VEHICLE}', 'plateNumber', 'AAA111'), (1, 1, gen_random_uuid(), 'plateNumber', 'AAA111'),
       (2, 0, '${VEHICLE}', 'mvFileNumber', '1234')`,
  );
});
afterEach(() => database.drop());

const claim = (key: number, certificateId: string, days: string) =>
  client.query(
    `INSERT INTO coverage_claims (key, certificate_id, vehicle_id, during) VALUES ($1, $2, '${VEHICLE}', $3)`,
    [key, certificateId, days],
  );

it('keeps them with the first owner of each identifier, one for each certificate', async () => {
  await claim(1, SECOND, '[2027-01-01,2027-12-31]');
  await claim(1, FIRST, '[2026-01-01,2026-12-31]');
  await claim(1, FIRST, '[2026-01-01,2026-12-31]');
  await database.migrate();
  const { rows: claims } = await client.query(
    `SELECT key::int, certificate_id, during::text FROM coverage_claims ORDER BY during`,
  );
  expect(claims).toEqual([
    { key: 1, certificate_id: FIRST, during: '[2026-01-01,2027-01-01)' },
    { key: 1, certificate_id: SECOND, during: '[2027-01-01,2028-01-01)' },
  ]);
  const { rows: covers } = await client.query(
    'SELECT key::int, rank, cardinality(covers) AS covers FROM vehicle_identifiers ORDER BY key, rank',
  );
  expect(covers).toEqual([
    { key: 1, rank: 0, covers: 2 },
    { key: 1, rank: 1, covers: 0 },
    { key: 2, rank: 0, covers: 0 },
  ]);
});

it('changes nothing where one has no place', async () => {
  await claim(3, FIRST, '[2026-01-01,2026-12-31]');
  await expect(database.migrate()).rejects.toThrow(/has no place/);
  const { rows } = await client.query('SELECT key::int FROM coverage_claims');
  expect(rows).toEqual([{ key: 3 }]);
});
