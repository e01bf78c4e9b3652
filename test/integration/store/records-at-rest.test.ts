import { randomBytes } from 'node:crypto';
import { makeKeyring } from '../../../shared/platform/secrets/sealing.ts';
import { findRecord } from '../../../shared/store/registry/records/records.ts';
import { searchRecords } from '../../../shared/store/registry/search-records.ts';
import {
  type RecordWorld,
  type Registered,
  recordBody,
  startRecordWorld,
} from '../../env/records/record-world.ts';

let world: RecordWorld;
let registered: Registered;
beforeAll(async () => {
  world = await startRecordWorld();
  registered = await world.register('alpha', recordBody());
  await world.amend('alpha', registered.registryReference, {
    operator: {
      tin: '555-666-777-888',
      contactEmail: 'new.person@example.org',
      contactPhone: '0918 444 3322',
    },
  });
  await world.cancel('alpha', registered, '2026-10-15');
});
afterAll(() => world.stop());

it('no table contains the personal data of an operator in clear (D22)', async () => {
  const tables = await world.db.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`;
  expect(tables.length).toBeGreaterThan(20);
  const personal = [
    '123-456-789',
    'maria.santos',
    '917 555',
    '555-666-777',
    'new.person',
    '918 444',
  ];
  // bytea is shown as hexadecimal digits.
  const patterns = personal.flatMap((text) => [
    `%${text}%`,
    `%${Buffer.from(text).toString('hex')}%`,
  ]);
  for (const { name } of tables) {
    const rows = await world.db.$queryRawUnsafe<{ row: string }[]>(
      `SELECT t::text AS row FROM ${name} t WHERE t::text ILIKE ANY($1::text[])`,
      patterns,
    );
    expect({ name, rows }).toEqual({ name, rows: [] });
  }
});

it('a record sealed under an older key is read with a keyring that has both', async () => {
  const { encryptionKeys } = world.config;
  const both = makeKeyring([{ id: 'newer', key: randomBytes(32) }, ...encryptionKeys]);
  const viewer = await world.viewer('INS-ALPHA');
  const now = world.clock.now();
  const found = await findRecord(world.db, both, registered.registryReference, viewer, now);
  expect(found?.record.operator.contactEmail).toBe('new.person@example.org');
  const criteria = {
    identifiers: [],
    policyNumber: registered.body.policy.policyNumber ?? '',
    cocNumber: null,
  };
  const question = {
    criteria,
    status: undefined,
    page: 1,
    pageSize: 1,
    viewer,
    now,
    today: '2026-10-15',
  };
  expect((await searchRecords(world.db, both, question)).records).toHaveLength(1);
});

it('a record whose key is missing causes an error, not an empty answer', async () => {
  const other = makeKeyring([{ id: 'other', key: randomBytes(32) }]);
  const viewer = await world.viewer('INS-ALPHA');
  await expect(
    findRecord(world.db, other, registered.registryReference, viewer, world.clock.now()),
  ).rejects.toThrow('ENCRYPTION_KEYS');
});
