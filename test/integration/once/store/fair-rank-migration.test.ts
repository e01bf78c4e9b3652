import {
  makeDatabaseBefore,
  type UnmigratedDatabase,
} from '../../../env/servers/unmigrated-database.ts';

let database: UnmigratedDatabase;
beforeEach(async () => {
  database = await makeDatabaseBefore('20261128120000_fair_rank');
});
afterEach(() => database.drop());

const [RECORD, OTHER] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
] as const;

it('lets all waiting transmissions of an earlier release be claimed, the changes of a record one by one', async () => {
  const insert = (sequence: number, status: string, target: string | null, parked = false) =>
    database.client.query(
      `INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind, actor,
         request_hash, body_sealed, request_id, received_at, status, target_certificate_id, parked_at)
       VALUES (gen_random_uuid(), $1::bigint, $1::text, gen_random_uuid(), $1::text, 'AMEND', 'a', '', '', 'r', now(), $2, $3,
         CASE WHEN $4 THEN now() END)`,
      [sequence, status, target, parked],
    );
  // The constraint to organizations doesn't matter here.
  await database.client.query('SET session_replication_role = replica');
  await insert(1, 'RECEIVED', null);
  await insert(2, 'RECEIVED', RECORD);
  await insert(3, 'RECEIVED', RECORD);
  await insert(4, 'VALIDATING', OTHER, true);
  await insert(5, 'RECEIVED', OTHER);
  await insert(6, 'RECEIVED', OTHER);
  await database.migrate();
  const { rows } = await database.client.query(
    `SELECT sequence::int, fair_rank::int AS rank FROM transmissions WHERE status = 'RECEIVED' ORDER BY sequence`,
  );
  expect(rows).toEqual([
    { sequence: 1, rank: 0 },
    { sequence: 2, rank: 0 },
    { sequence: 3, rank: null },
    { sequence: 5, rank: 0 },
    { sequence: 6, rank: null },
  ]);
});
