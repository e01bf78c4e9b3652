import { randomBytes } from 'node:crypto';
import type { Db } from '../../../../shared/db/prisma.ts';
import { makeKeyring } from '../../../../shared/platform/secrets/sealing.ts';
import { recordAudit } from '../../../../shared/store/staff/audit.ts';
import { sealAudit, verifyAudit } from '../../../../shared/store/staff/audit-chain.ts';
import { renewSeal } from '../../../../shared/store/staff/audit-seal.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { listPage } from '../../../env/staff/lists.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let api: TestApi;
let db: Db;
let administrator: StaffBrowser;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
  db = api.api.context.db;
  administrator = await signInAs(api, 'ADMINISTRATOR');
});
afterAll(() => api.stop());

const FORGED = {
  actor: { kind: 'COMMAND', id: null, email: 'root@machine', role: null },
  action: 'SIGNED_IN',
  target: { type: 'USER', id: null },
  address: null,
  requestId: 'forged',
  at: new Date(),
} as const;
const keys = () => api.api.context.keyring;

/** Runs the statements with the rights of a superuser and without triggers. */
async function asSuperuser(...statements: readonly string[]): Promise<void> {
  await api.ownerDb.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
    for (const statement of statements) await tx.$executeRawUnsafe(statement);
  });
}

describe('the chain', () => {
  it('is sound after many concurrent actions', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        administrator.post('/admin/v1/users', {
          email: `many-${at}@staff.example`,
          role: 'AUDITOR',
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const { total } = await listPage(administrator, '/admin/v1/audit?limit=1');
    expect(await verifyAudit(db, keys())).toMatchObject({
      isSound: true,
      isSealed: true,
      head: { sequence: total },
    });
  });
});

describe('verifying the chain', () => {
  beforeAll(async () => {
    await asSuperuser(
      'DELETE FROM audit_entries WHERE sequence > 5',
      'UPDATE audit_head SET sequence = 5, hash = (SELECT hash FROM audit_entries WHERE sequence = 5), seal = NULL',
    );
    await sealAudit(db, keys());
    await asSuperuser(
      'CREATE TABLE kept_entries AS SELECT * FROM audit_entries',
      'CREATE TABLE kept_head AS SELECT * FROM audit_head',
    );
  });
  afterEach(() =>
    asSuperuser(
      'DELETE FROM audit_entries',
      'INSERT INTO audit_entries SELECT * FROM kept_entries',
      'DELETE FROM audit_head',
      'INSERT INTO audit_head SELECT * FROM kept_head',
    ),
  );

  it.each([
    [
      'a change of content',
      ["UPDATE audit_entries SET after = '{}' WHERE sequence = 2"],
      2,
      'it was changed',
    ],
    [
      'a change of the actor',
      ["UPDATE audit_entries SET actor_email = 'x@y.z' WHERE sequence = 4"],
      4,
      'it was changed',
    ],
    [
      'a change of the time',
      ["UPDATE audit_entries SET at = at - interval '1 day' WHERE sequence = 3"],
      3,
      'it was changed',
    ],
    [
      'a removal in the middle',
      ['DELETE FROM audit_entries WHERE sequence = 3'],
      3,
      'it is missing',
    ],
    [
      'a removal of the first entry',
      ['DELETE FROM audit_entries WHERE sequence = 1'],
      1,
      'it is missing',
    ],
    ['a removal at the tail', ['DELETE FROM audit_entries WHERE sequence = 5'], 5, 'it is missing'],
    ['a removal of all entries', ['DELETE FROM audit_entries'], 1, 'it is missing'],
    [
      'a swap of two entries',
      [
        'UPDATE audit_entries SET sequence = -1 WHERE sequence = 2',
        'UPDATE audit_entries SET sequence = 2 WHERE sequence = 3',
        'UPDATE audit_entries SET sequence = 3 WHERE sequence = -1',
      ],
      2,
      'it does not continue the entry before it',
    ],
    [
      'a removal in the middle that renumbers the rest',
      [
        'DELETE FROM audit_entries WHERE sequence = 2',
        'UPDATE audit_entries SET sequence = sequence + 100 WHERE sequence > 2',
        'UPDATE audit_entries SET sequence = sequence - 101 WHERE sequence > 100',
      ],
      2,
      'it does not continue the entry before it',
    ],
    [
      'a head that was moved back',
      [
        'UPDATE audit_head SET sequence = 4, hash = (SELECT hash FROM audit_entries WHERE sequence = 4)',
      ],
      5,
      'the head of the chain is another entry',
    ],
    ['a missing head', ['DELETE FROM audit_head'], 5, 'the head of the chain is another entry'],
  ])('detects %s and names the first broken entry', async (_what, statements, brokenAt, reason) => {
    expect(await verifyAudit(db, keys())).toMatchObject({ isSound: true, head: { sequence: 5 } });
    await asSuperuser(...statements);
    expect(await verifyAudit(db, keys())).toEqual({ isSound: false, brokenAt, reason });
  });

  it('detects correct hashes that were written without the keys; later actions do not seal the chain', async () => {
    const otherKeys = makeKeyring([{ id: 'test', key: randomBytes(32) }]);
    await asSuperuser(
      'DELETE FROM audit_entries WHERE sequence = 5',
      'UPDATE audit_head SET sequence = 4, hash = (SELECT hash FROM audit_entries WHERE sequence = 4)',
    );
    await api.ownerDb.$transaction((tx) => recordAudit(tx, { ...FORGED, keys: otherKeys }));
    expect(await verifyAudit(db, keys())).toMatchObject({ isSound: true, isSealed: false });
    await sealAudit(api.ownerDb, otherKeys);
    const broken = { isSound: false, reason: 'the seal of the head was not made with these keys' };
    expect(await verifyAudit(db, keys())).toEqual({ ...broken, brokenAt: 5 });
    await administrator.post('/admin/v1/users', { email: 'next@staff.example', role: 'AUDITOR' });
    expect(await verifyAudit(db, keys())).toMatchObject({ isSound: true, isSealed: false });
  });

  it('accepts the chain of a release without seals, and reports it as sealed once it is sealed', async () => {
    await api.ownerDb.$executeRaw`UPDATE audit_head SET seal = NULL, seal_key_id = NULL`;
    const head = { sequence: 5 };
    expect(await verifyAudit(db, keys())).toMatchObject({ isSound: true, isSealed: false, head });
    await sealAudit(db, keys());
    expect(await verifyAudit(db, keys())).toMatchObject({ isSound: true, isSealed: true, head });
    await administrator.post('/admin/v1/users', { email: 'sealed@staff.example', role: 'AUDITOR' });
    expect(await verifyAudit(db, keys())).toMatchObject({ isSound: true, isSealed: true });
  });

  it('works while keys are replaced, and no longer needs the older key after "reseal"', async () => {
    const [k1, k2] = [1, 2].map((n) => ({ id: `k${n}`, key: randomBytes(32) }));
    if (k1 === undefined || k2 === undefined) throw new Error('two keys');
    await api.ownerDb.$executeRaw`UPDATE audit_head SET seal = NULL, seal_key_id = NULL`;
    await sealAudit(db, makeKeyring([k1]));
    const both = makeKeyring([k2, k1]);
    expect(await verifyAudit(db, both)).toMatchObject({ isSealed: true });
    await renewSeal(db, both);
    expect(await verifyAudit(db, makeKeyring([k2]))).toMatchObject({ isSealed: true });
    expect(await verifyAudit(db, makeKeyring([k1]))).toMatchObject({ isSound: false });
  });

  it('detects a tail that was removed with its head, also by comparison with a recorded head', async () => {
    const report = await verifyAudit(db, keys());
    if (!report.isSound) throw new Error('the chain was broken before the test changed it');
    await asSuperuser(
      'DELETE FROM audit_entries WHERE sequence = 5',
      'UPDATE audit_head SET sequence = 4, hash = (SELECT hash FROM audit_entries WHERE sequence = 4)',
    );
    expect(await verifyAudit(db, keys())).toEqual({
      isSound: false,
      brokenAt: 4,
      reason: 'the seal of the head was not made with these keys',
    });
    expect(await verifyAudit(db, keys(), report.head)).toEqual({
      isSound: false,
      brokenAt: 5,
      reason: 'it is missing',
    });
    await administrator.post('/admin/v1/users', { email: 'later@staff.example', role: 'AUDITOR' });
    expect(await verifyAudit(db, keys(), report.head)).toEqual({
      isSound: false,
      brokenAt: 5,
      reason: 'it is not the entry that was written down',
    });
  });
});
