import {
  makeDatabaseBefore,
  type UnmigratedDatabase,
} from '../../../env/servers/unmigrated-database.ts';

// Vehicles that were removed before a registry kept the days of their cover keep those that their certificate has (D27).

const MIGRATION = '20261128010000_days_of_removed_vehicles';
const CERTIFICATE = '00000000-0000-4000-8000-000000000001';

let database: UnmigratedDatabase;
beforeEach(async () => {
  database = await makeDatabaseBefore(MIGRATION);
});
afterEach(() => database.drop());

it('keeps the days of removed vehicles, and none of those that are on their certificate', async () => {
  const { client } = database;
  // Without the rows around them.
  await client.query(`SET session_replication_role = replica`);
  await client.query(
    `INSERT INTO certificates (id, registry_reference, sequence, policy_id, coc_number, issuing_insurer_id,
         transmitting_organization_id, effective_date, expiration_date, current_version, operator_id, operator_sealed,
         operator_region, registered_at)
       VALUES ($1, 'PPAI-2026-000000001', 1, gen_random_uuid(), 'COC', gen_random_uuid(), gen_random_uuid(),
         '2026-01-01', '2026-12-31', 2, gen_random_uuid(), '', 'NCR', now())`,
    [CERTIFICATE],
  );
  await client.query(
    `INSERT INTO certificate_vehicles (certificate_id, ordinal, vehicle_id, registered, added_in_version, removed_in_version)
       VALUES ($1, 0, gen_random_uuid(), '{}', 1, NULL), ($1, 1, gen_random_uuid(), '{}', 1, 2)`,
    [CERTIFICATE],
  );
  await database.migrate();
  const { rows } = await client.query(
    `SELECT covered_from::text, covered_until::text FROM certificate_vehicles ORDER BY ordinal`,
  );
  expect(rows).toEqual([
    { covered_from: null, covered_until: null },
    { covered_from: '2026-01-01', covered_until: '2026-12-31' },
  ]);
});
