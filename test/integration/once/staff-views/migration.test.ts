import {
  makeDatabaseBefore,
  type UnmigratedDatabase,
} from '../../../env/servers/unmigrated-database.ts';

let database: UnmigratedDatabase;
beforeEach(async () => {
  database = await makeDatabaseBefore('20261128150000_lists_of_reference_vehicles');
});
afterEach(() => database.drop());

const CLIENT = '00000000-0000-4000-8000-000000000001';
const TABLES = [
  'flags',
  'reference_vehicles',
  'client_secrets',
  'access_tokens',
  'audit_entries',
] as const;

/** A row of each table that the migrations of the console change, as the release before and its processes write it. */
const INSERTS = [
  `INSERT INTO flags (id, type, certificate_id, plate_number, region, message, created_at, reviewed_by, reviewed_at, status)
     VALUES (gen_random_uuid(), 'POSSIBLE_DUPLICATE', gen_random_uuid(), 'ABC1234', 'NCR', 'm', now(), 'r@regulator.example', now(), 'CLEARED')`,
  `INSERT INTO reference_vehicles (region, plate_number) VALUES ('NCR', 'ABC1234')`,
  `INSERT INTO client_secrets (api_client_id, kind, version, protected, expires_at)
     SELECT '${CLIENT}', 'CLIENT_SECRET', count(*) + 1, '', now() FROM client_secrets`,
  `INSERT INTO access_tokens (token_hash, api_client_id, scopes, issued_at, expires_at)
     SELECT count(*)::text::bytea, '${CLIENT}', '{}', '2026-11-01Z', '2026-11-02Z' FROM access_tokens`,
  `INSERT INTO audit_entries (sequence, at, actor_kind, action, target_type, request_id, previous_hash, hash)
     SELECT count(*) + 1, now(), 'COMMAND', 'USER_CREATED', 'USER', 'req_1', '', '' FROM audit_entries`,
];

it('keeps the rows of an earlier release, whose flags nobody works on, and lets its processes add more', async () => {
  const { client } = database;
  const read = async () => {
    const tables: Record<string, unknown>[][] = [];
    for (const table of TABLES) tables.push((await client.query(`SELECT * FROM ${table}`)).rows);
    return tables;
  };
  // The constraints to records and organizations don't matter here.
  await client.query('SET session_replication_role = replica');
  for (const insert of INSERTS) await client.query(insert);
  const before = await read();
  await database.migrate();
  const [flags, ...others] = await read();
  expect([flags, ...others]).toEqual([
    before[0]?.map((flag) => ({ ...flag, assignee_id: null, assigned_at: null })),
    ...before.slice(1),
  ]);
  for (const insert of INSERTS) await client.query(insert);
  expect((await read()).map((rows) => rows.length)).toEqual(TABLES.map(() => 2));
});
