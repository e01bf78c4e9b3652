import type { FlagItem } from '../../../../shared/contract/staff/flags.ts';
import type { FlagCounts, Overview } from '../../../../shared/contract/staff/views/overview.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { FLAGS, raiseFlag } from '../../../env/staff/flags.ts';
import { fieldsOf, listPage } from '../../../env/staff/lists.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let stack: Stack;
let admin: StaffBrowser;
let auditor: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  admin = await signInAs(stack, 'ADMINISTRATOR');
  auditor = await signInAs(stack, 'AUDITOR');
});
afterAll(() => stack.stop());

async function count(query = ''): Promise<FlagCounts> {
  const { status, envelope, text } = await auditor.get(`${FLAGS}/counts?${query}`);
  if (status !== 200) throw new Error(text);
  return envelope.data as unknown as FlagCounts;
}

async function overview(browser = auditor): Promise<Overview> {
  const { status, envelope, text } = await browser.get('/admin/v1/overview');
  if (status !== 200) throw new Error(text);
  return envelope.data as unknown as Overview;
}

describe('the counts of flags', () => {
  it('are zero before there is a flag', async () => {
    expect(await count()).toMatchObject({
      total: 0,
      isComplete: true,
      byStatus: [],
      byInsurer: [],
    });
  });

  it('are those of the filtered lists, by status, type, region, insurer and age', async () => {
    const flags = [
      await raiseFlag(stack, admin),
      await raiseFlag(stack, admin),
      await raiseFlag(stack, admin, {}, 'INS-BRAVO'),
    ];
    const [first, second] = flags;
    await admin.post(`${FLAGS}/${first?.id}/clear`, { notes: 'Fine.' });
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000 - 60_000);
    const { db } = stack.api.context;
    await db.flag.update({ where: { id: second?.id ?? '' }, data: { createdAt: ago(7) } });
    await db.flag.update({ where: { id: first?.id ?? '' }, data: { createdAt: ago(30) } });
    const counts = await count();
    expect(counts).toEqual({
      total: 3,
      isComplete: true,
      byStatus: [
        { status: 'OPEN', count: 2 },
        { status: 'CLEARED', count: 1 },
      ],
      byType: [{ type: 'VEHICLE_MISMATCH', count: 3 }],
      byRegion: [{ region: 'NCR', count: 3 }],
      byInsurer: [
        { code: 'INS-ALPHA', name: 'Alpha Insurance', count: 2 },
        { code: 'INS-BRAVO', name: expect.any(String), count: 1 },
      ],
      byAge: [
        { ageDaysMin: 0, ageDaysMax: 0, count: 1 },
        { ageDaysMin: 1, ageDaysMax: 6, count: 0 },
        { ageDaysMin: 7, ageDaysMax: 29, count: 1 },
        { ageDaysMin: 30, ageDaysMax: null, count: 1 },
      ],
    });
    for (const { ageDaysMin, ageDaysMax, count: counted } of counts.byAge) {
      const max = ageDaysMax === null ? '' : `&ageDaysMax=${ageDaysMax}`;
      const listed = await listPage<FlagItem>(auditor, `${FLAGS}?ageDaysMin=${ageDaysMin}${max}`);
      expect(listed.total).toBe(counted);
    }
    expect(await count('status=OPEN&insurerCode=INS-ALPHA')).toMatchObject({
      total: 1,
      byStatus: [{ status: 'OPEN', count: 1 }],
      byInsurer: [{ code: 'INS-ALPHA', count: 1 }],
    });
  });

  it('accept the filters of the list and nothing else', async () => {
    expect(fieldsOf(await auditor.get(`${FLAGS}/counts?colour=red`))).toEqual(['colour']);
    expect(fieldsOf(await auditor.get(`${FLAGS}/counts?status=GONE`))).toEqual(['status']);
  });
});

describe('the overview', () => {
  it('counts open flags, the transmissions of today and the most frequent errors', async () => {
    const before = await overview();
    await stack.transmit('alpha', makeBody());
    await stack.transmit('alpha', makeBody({ issuingInsurerCode: 'INS-NOBODY' }));
    const { transmissionsToday: today, openFlags } = await overview();
    expect(openFlags).toEqual(await count('status=OPEN'));
    expect(today.total).toBe(before.transmissionsToday.total + 2);
    expect(today.isComplete).toBe(true);
    const path = `/admin/v1/transmissions?receivedFrom=${today.from}`;
    for (const { status, count: counted } of today.byStatus) {
      expect((await listPage(auditor, `${path}&status=${status}`)).total).toBe(counted);
    }
    expect(today.topErrorCodes).toEqual([{ errorCode: 'VALIDATION_FAILED', count: 1 }]);
  });

  it('lists secrets in their overlap', async () => {
    const { items } = await listPage<{ id: string; name: string; version: number }>(
      admin,
      '/admin/v1/clients?limit=1',
    );
    const [client] = items;
    const path = `/admin/v1/clients/${client?.id}/rotate-secrets`;
    const rotation = { secrets: ['CLIENT_SECRET'], overlapSeconds: 3_600 };
    await admin.post(path, { ...rotation, expectedVersion: client?.version });
    expect((await overview()).endingSecrets).toMatchObject([
      {
        apiClientId: client?.id,
        clientName: client?.name,
        kind: 'CLIENT_SECRET',
        version: 1,
        expiresAt: expect.any(String),
      },
    ]);
  });

  it('is the same for every role', async () => {
    const reviewer = await signInAs(stack, 'REVIEWER');
    expect(await overview(reviewer)).toEqual(await overview(admin));
    expect(await overview(auditor)).toMatchObject({ parked: 0, importsInProgress: 0 });
  });
});
