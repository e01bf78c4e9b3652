import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { lockRow } from '../../../../shared/store/staff/lock.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';
import { untilWaiting } from '../../../races/until-waiting.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let database: TestDatabase;
let db: Db;
let id: string;
beforeAll(async () => {
  database = await makeTestDatabase();
  db = openDb({ databaseUrl: database.url, poolMax: 4, applicationName: 'test' });
  const organization = { code: 'INS-LOCKED', name: 'Locked', type: 'INSURANCE_COMPANY' };
  ({ id } = await db.organization.create({ data: organization, select: { id: true } }));
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const lock = (rowId: string, expectedVersion?: number) =>
  db.$transaction((tx) => lockRow(tx, 'organizations', rowId, expectedVersion));

it('accepts the expected version, and any version without one', async () => {
  await expect(lock(id, 1)).resolves.toBeUndefined();
  await expect(lock(id)).resolves.toBeUndefined();
});

it('is CONFLICT for another version, and NOT_FOUND for a missing row', async () => {
  await expect(lock(id, 2)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(lock(NOBODY, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('makes the second of two changes wait and see the version of the first', async () => {
  const { second } = await db.$transaction(async (tx) => {
    await lockRow(tx, 'organizations', id, 1);
    const refusal = lock(id, 1).then(
      () => undefined,
      (error: unknown) => error,
    );
    await untilWaiting(db, 1, refusal);
    await tx.organization.update({ where: { id }, data: { version: { increment: 1 } } });
    return { second: refusal };
  });
  expect(await second).toMatchObject({ code: 'CONFLICT' });
});

it('lets rows that refer to the locked row be written', async () => {
  await db.$transaction(async (tx) => {
    await lockRow(tx, 'organizations', id);
    const client = { clientId: 'ppai-0', name: 'new', organizationId: id, scopes: [] };
    await expect(db.apiClient.create({ data: client })).resolves.toMatchObject({ name: 'new' });
  });
});
