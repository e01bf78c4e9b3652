import {
  makeDatabaseBefore,
  type UnmigratedDatabase,
} from '../../../env/servers/unmigrated-database.ts';

// The records of an earlier release become changes, one for each organization that sees the record (D37).

let database: UnmigratedDatabase;
beforeEach(async () => {
  database = await makeDatabaseBefore('20261128130000_change_feed');
});
afterEach(() => database.drop());

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const SENDER = id(1);
const INSURER = id(2);
const POOL = id(3);
const LEAD = id(4);
const MANAGER = id(5);
const REGULATOR = '00000000-0000-0000-0000-000000000000';

interface StoredRecord {
  readonly n: number;
  readonly sequence: number;
  readonly sender: string;
  readonly pool?: string;
  readonly version?: number;
}

async function addRecord({ n, sequence, sender, pool, version = 1 }: StoredRecord) {
  const { client } = database;
  await client.query(
    `INSERT INTO policies (id, issuing_insurer_id, policy_number, issuance_date, coverage_type, pool_id, created_at)
     VALUES ($1::uuid, $2, $1::text, '2026-01-01', 'PPAI', $3, now())`,
    [id(n), INSURER, pool ?? null],
  );
  await client.query(
    `INSERT INTO certificates (id, registry_reference, sequence, policy_id, coc_number, issuing_insurer_id,
       transmitting_organization_id, effective_date, expiration_date, operator_id, operator_sealed, operator_region,
       registered_at, current_version)
     VALUES ($1::uuid, $1::text, $2, $1::uuid, 'COC', $3, $4, '2026-01-01', '2026-12-31', gen_random_uuid(), '', 'NCR',
       now(), $5)`,
    [id(n), sequence, INSURER, sender, version],
  );
  for (let made = 1; made <= version; made += 1)
    await client.query(
      `INSERT INTO certificate_versions (certificate_id, version, created_at, transmission_id, snapshot_sealed)
       VALUES ($1, $2, now(), $3, '')`,
      [id(n), made, id(n * 100 + made)],
    );
}

it('adds one change per record and organization, in the order of registration', async () => {
  const { client } = database;
  // Without the rows around them.
  await client.query('SET session_replication_role = replica');
  await client.query(
    `INSERT INTO insurance_pools (organization_id, lead_insurer_id, management_company_id) VALUES ($1, $2, $3)`,
    [POOL, LEAD, MANAGER],
  );
  await addRecord({ n: 11, sequence: 30, sender: INSURER });
  await addRecord({ n: 12, sequence: 20, sender: SENDER });
  await addRecord({ n: 13, sequence: 10, sender: LEAD, pool: POOL, version: 3 });
  await database.migrate();
  const { rows } = await client.query<{ certificate: string; of: string }>(
    `SELECT organization_id AS of, certificate_id AS certificate, transmission_id AS transmission, type, version
     FROM changes ORDER BY changes.xid, changes.seq`,
  );
  const changes = (n: number, version: number, organizations: readonly string[]) =>
    organizations.toSorted().map((of) => ({
      of,
      certificate: id(n),
      transmission: id(n * 100 + 1),
      type: 1,
      version,
    }));
  expect(rows).toEqual([
    ...changes(13, 3, [REGULATOR, INSURER, POOL, LEAD, MANAGER]),
    ...changes(12, 1, [REGULATOR, SENDER, INSURER]),
    ...changes(11, 1, [REGULATOR, INSURER]),
  ]);
});

it('begins an epoch', async () => {
  await database.migrate();
  const { rows } = await database.client.query('SELECT epoch FROM feed_epoch');
  expect(rows).toEqual([{ epoch: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
});
