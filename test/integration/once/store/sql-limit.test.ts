import { Client } from 'pg';
import { makeCertificate } from '../../../bench/load/certificates.ts';
import { installSqlLimit, registerBySql, valuesOf } from '../../../bench/scenarios/sql-limit.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

// The SQL that the benchmark compares the registry with.

const INSURER = 'INS-LIMIT';
const VEHICLES = 3;
const UNIQUE_VIOLATION = '23505';

let database: TestDatabase;
let client: Client;
let insurerId: string;
beforeEach(async () => {
  database = await makeTestDatabase();
  client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  await installSqlLimit(client);
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO organizations (code, name, type) VALUES ($1, 'Limit', 'INSURANCE_COMPANY') RETURNING id`,
    [INSURER],
  );
  insurerId = rows[0]?.id ?? '';
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

describe('the SQL limit', () => {
  it('writes the transmission, the record, its vehicles and a cover on each identifier', async () => {
    await registerBySql(client, valuesOf(insurerId, makeCertificate(INSURER, VEHICLES)));
    const { rows } = await client.query(`
      SELECT (SELECT count(*)::int FROM transmissions WHERE status = 'ACCEPTED' AND vehicle_count = ${VEHICLES}) AS accepted,
        (SELECT count(*)::int FROM policies) AS policies,
        (SELECT count(*)::int FROM certificates JOIN certificate_versions ON certificate_id = id) AS versions,
        (SELECT count(*)::int FROM certificate_vehicles JOIN vehicles ON vehicle_id = id
         WHERE registered->>'chassisNumber' = chassis_number) AS vehicles,
        (SELECT count(*)::int FROM vehicle_identifiers i JOIN certificates c ON i.covered_by = ARRAY[c.id]
         WHERE i.covers = ARRAY[daterange(c.effective_date, c.expiration_date, '[]')]) AS covers`);
    expect(rows).toEqual([
      { accepted: 1, policies: 1, versions: 1, vehicles: VEHICLES, covers: 4 * VEHICLES },
    ]);
  });

  it('refuses a second certificate for a vehicle, and writes nothing of it', async () => {
    const first = makeCertificate(INSURER, VEHICLES);
    const second = { ...makeCertificate(INSURER, 1), vehicles: first.vehicles.slice(0, 1) };
    await registerBySql(client, valuesOf(insurerId, first));
    await expect(registerBySql(client, valuesOf(insurerId, second))).rejects.toMatchObject({
      code: UNIQUE_VIOLATION,
    });
    const { rows } = await client.query('SELECT count(*)::int AS count FROM transmissions');
    expect(rows).toEqual([{ count: 1 }]);
  });
});
