import {
  makeDatabaseBefore,
  type UnmigratedDatabase,
} from '../../../env/servers/unmigrated-database.ts';

// Conflicts of identifiers that were flagged before flags named the other record learn it from what they kept (D10).

const MIGRATION = '20261128010100_related_records_of_flags';
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

let database: UnmigratedDatabase;
beforeEach(async () => {
  database = await makeDatabaseBefore(MIGRATION);
});
afterEach(() => database.drop());

it('fills in the last record of the other vehicle at the time, for conflicts alone', async () => {
  const { client } = database;
  const certify = async (n: number, vehicles: readonly number[]) => {
    await client.query(
      `INSERT INTO certificates (id, registry_reference, sequence, policy_id, coc_number, issuing_insurer_id,
         transmitting_organization_id, effective_date, expiration_date, operator_id, operator_sealed, operator_region,
         registered_at)
       VALUES ($1::uuid, $1::text, $2::int, gen_random_uuid(), 'COC', gen_random_uuid(), gen_random_uuid(), '2026-01-01', '2026-12-31',
         gen_random_uuid(), '', 'NCR', make_timestamptz(2026, 1, $2::int, 0, 0, 0))`,
      [id(n), n],
    );
    for (const [ordinal, vehicle] of vehicles.entries())
      await client.query(
        `INSERT INTO certificate_vehicles (certificate_id, ordinal, vehicle_id, registered, added_in_version)
         VALUES ($1, $2, $3, '{}', 1)`,
        [id(n), ordinal, id(vehicle)],
      );
  };
  const flag = (type: string, certificate: number, vehicle: number, details: object) =>
    client.query(
      `INSERT INTO flags (id, type, certificate_id, vehicle_id, region, message, details, created_at)
       VALUES (gen_random_uuid(), $1, $2, $3, 'NCR', 'm', $4, make_timestamptz(2026, 1, $5::int, 0, 0, 0))`,
      [type, id(certificate), id(vehicle), details, certificate],
    );
  // Without the rows around them.
  await client.query(`SET session_replication_role = replica`);
  const [own, other] = [101, 102];
  await certify(1, [other]);
  await certify(2, [other]);
  await certify(3, [own]);
  await certify(4, [own, other]);
  await certify(5, [other]);
  await flag('IDENTIFIER_CONFLICT', 4, own, { matchedVehicleIds: [id(own), id(other)] });
  await flag('VEHICLE_MISMATCH', 4, own, { result: 'NO_MATCH' });
  await flag('IDENTIFIER_CONFLICT', 3, own, { matchedVehicleIds: [id(own), id(103)] });
  await database.migrate();
  const { rows } = await client.query(
    `SELECT type, certificate_id AS on, related_certificate_id AS related FROM flags
       ORDER BY certificate_id, type`,
  );
  expect(rows).toEqual([
    { type: 'IDENTIFIER_CONFLICT', on: id(3), related: null },
    { type: 'IDENTIFIER_CONFLICT', on: id(4), related: id(2) },
    { type: 'VEHICLE_MISMATCH', on: id(4), related: null },
  ]);
});
