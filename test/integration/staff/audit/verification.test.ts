import { verifyAudit } from '../../../../shared/store/staff/audit-chain.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { fieldsOf, listPage } from '../../../env/staff/lists.ts';
import { outcomeOf, refused, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const VERIFICATION = '/admin/v1/audit/verification';

let api: TestApi;
let admin: StaffBrowser;
let auditor: StaffBrowser;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
  admin = await signInAs(api, 'ADMINISTRATOR');
  auditor = await signInAs(api, 'AUDITOR');
});
afterAll(() => api.stop());

interface Head {
  readonly sequence: number;
  readonly hash: string;
}

async function verify(query = ''): Promise<object | null> {
  const { status, envelope, text } = await auditor.get(`${VERIFICATION}${query}`);
  if (status !== 200) throw new Error(text);
  return envelope.data;
}

async function headNow(): Promise<Head> {
  const { items } = await listPage<Head>(auditor, '/admin/v1/audit?limit=1');
  if (items[0] === undefined) throw new Error('the audit log is empty');
  return { sequence: items[0].sequence, hash: items[0].hash };
}

describe('the verification of the audit log', () => {
  it('names its head, which a later verification may expect', async () => {
    const head = await headNow();
    const sound = { state: 'SOUND', verifiedFrom: 1, brokenAt: null, reason: null };
    expect(await verify()).toEqual({ ...sound, head });
    await admin.post('/auth/v1/sessions/end-others');
    await signInAs(api, 'REVIEWER');
    const later = await headNow();
    expect(later.sequence).toBeGreaterThan(head.sequence);
    const expected = `?expect=${head.sequence}:${head.hash}`;
    expect(await verify(expected)).toEqual({ ...sound, head: later });
    const other = `?expect=${head.sequence}:${'0'.repeat(64)}`;
    expect(await verify(other)).toEqual({
      state: 'BROKEN',
      verifiedFrom: null,
      head: null,
      brokenAt: head.sequence,
      reason: 'it is not the entry that was written down',
    });
  });

  it('says when the last entry is not sealed, and where the chain is broken', async () => {
    const head = await headNow();
    const { seal, sealKeyId } = (await api.ownerDb.auditHead.findFirst()) ?? {};
    await api.ownerDb.$executeRaw`UPDATE audit_head SET seal = NULL, seal_key_id = NULL`;
    expect(await verify()).toMatchObject({ state: 'NOT_SEALED', head });
    await api.ownerDb.$executeRaw`UPDATE audit_head SET seal = ${seal}, seal_key_id = ${sealKeyId}`;
    expect(await verify()).toMatchObject({ state: 'SOUND' });
  });

  it('is refused for another form of head and for a role without the permission', async () => {
    for (const expect_ of ['1', '0:00', `1:${'g'.repeat(64)}`]) {
      expect(fieldsOf(await auditor.get(`${VERIFICATION}?expect=${expect_}`))).toEqual(['expect']);
    }
    const reviewer = await signInAs(api, 'REVIEWER');
    expect(outcomeOf(await reviewer.get(VERIFICATION))).toEqual(refused(403, 'FORBIDDEN'));
  });

  it('of the latest entries detects a change among them and an older head that differs', async () => {
    const { db, keyring } = api.api.context;
    const head = await headNow();
    expect(await verifyAudit(db, keyring, undefined, 2)).toMatchObject({ isSound: true, head });
    const first = await db.auditEntry.findFirstOrThrow({ orderBy: { sequence: 'asc' } });
    const written = { sequence: 1, hash: Buffer.from(first.hash).toString('hex') };
    expect(await verifyAudit(db, keyring, written, 2)).toMatchObject({ isSound: true });
    const other = { sequence: 1, hash: '0'.repeat(64) };
    expect(await verifyAudit(db, keyring, other, 2)).toMatchObject({ isSound: false, brokenAt: 1 });
    await changeEntry(head.sequence - 1);
    expect(await verifyAudit(db, keyring, undefined, 1)).toMatchObject({ isSound: true });
    expect(await verifyAudit(db, keyring, undefined, 2)).toEqual({
      isSound: false,
      brokenAt: head.sequence - 1,
      reason: 'it was changed',
    });
    expect(await verify()).toMatchObject({ state: 'BROKEN', brokenAt: head.sequence - 1 });
  });
});

describe('the audit log', () => {
  it('is filtered by several actions and by request', async () => {
    const list = (query: string) =>
      listPage<{ action: string; requestId: string }>(
        auditor,
        `/admin/v1/audit?limit=200&${query}`,
      );
    const both = await list('action=SIGNED_IN,MFA_ENROLLED');
    const actions = new Set(both.items.map(({ action }) => action));
    expect(actions).toEqual(new Set(['SIGNED_IN', 'MFA_ENROLLED']));
    expect(both.total).toBe(
      (await list('action=SIGNED_IN')).total + (await list('action=MFA_ENROLLED')).total,
    );
    const [entry] = both.items;
    const ofRequest = await list(`requestId=${entry?.requestId}`);
    expect(ofRequest.items.map(({ requestId }) => requestId)).toContain(entry?.requestId);
    expect(new Set(ofRequest.items.map(({ requestId }) => requestId)).size).toBe(1);
    expect((await list('requestId=nobody')).total).toBe(0);
    expect(fieldsOf(await auditor.get('/admin/v1/audit?action=SIGNED_IN,GONE'))).toEqual([
      'action',
    ]);
  });
});

/** As a superuser would: triggers refuse it to everybody else. */
async function changeEntry(sequence: number): Promise<void> {
  await api.ownerDb.$transaction([
    api.ownerDb.$executeRaw`SET LOCAL session_replication_role = replica`,
    api.ownerDb
      .$executeRaw`UPDATE audit_entries SET address = '192.0.2.1' WHERE sequence = ${sequence}`,
  ]);
}
