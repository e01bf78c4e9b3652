import {
  makeDatabaseBefore,
  type UnmigratedDatabase,
} from '../../../env/servers/unmigrated-database.ts';

let database: UnmigratedDatabase;
beforeEach(async () => {
  database = await makeDatabaseBefore('20261128131000_own_transmissions');
});
afterEach(() => database.drop());

it('keeps the transmissions of an earlier release, which have no batch, and lets its processes add more', async () => {
  const insert = (sequence: number) =>
    database.client.query(
      `INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind, actor,
         request_hash, body_sealed, request_id, received_at)
       VALUES (gen_random_uuid(), $1::bigint, $1::text, gen_random_uuid(), $1::text, 'CREATE', 'a', '', '', 'r', now())`,
      [sequence],
    );
  // The constraint to organizations doesn't matter here.
  await database.client.query('SET session_replication_role = replica');
  await insert(1);
  await database.migrate();
  await insert(2);
  const { rows } = await database.client.query(
    'SELECT sequence::int, batch FROM transmissions ORDER BY sequence',
  );
  expect(rows).toEqual([
    { sequence: 1, batch: null },
    { sequence: 2, batch: null },
  ]);
});
