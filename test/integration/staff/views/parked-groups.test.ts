import type { ParkedGroups } from '../../../../shared/contract/staff/queue.ts';
import { releaseForRetry } from '../../../../shared/store/intake/release.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { fieldsOf, listPage } from '../../../env/staff/lists.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const PARKED = '/admin/v1/queue/parked';

let stack: Stack;
let auditor: StaffBrowser;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
  auditor = await signInAs(stack, 'AUDITOR');
});
afterAll(() => stack.stop());

async function park(client: 'alpha' | 'bravo', reason: string): Promise<void> {
  const issuingInsurerCode = client === 'bravo' ? 'INS-BRAVO' : 'INS-ALPHA';
  const body = makeBody({ issuingInsurerCode });
  const { envelope } = await stack.post(client, '/ppai/policies', body, 'respond-async');
  const transmissionReference = String(envelope.data?.['transmissionReference']);
  const { db } = stack.api.context;
  const { id } = await db.transmission.update({
    where: { transmissionReference },
    data: { status: 'VALIDATING', fence: 7, attempts: 10, failures: 9 },
  });
  await releaseForRetry(db, { id, fence: 7, reason, retryInSeconds: undefined });
}

async function groups(query = ''): Promise<ParkedGroups> {
  const { status, envelope, text } = await auditor.get(`${PARKED}/groups?${query}`);
  if (status !== 200) throw new Error(text);
  return envelope.data as unknown as ParkedGroups;
}

it('parked transmissions are grouped by their last error, the largest group first', async () => {
  expect(await groups()).toEqual({ total: 0, groups: [] });
  await park('alpha', 'SQLSTATE 53100: disk full');
  await park('alpha', 'timeout');
  await park('bravo', 'timeout');
  const found = await groups();
  const moments = { firstParkedAt: expect.any(String), lastParkedAt: expect.any(String) };
  expect(found).toEqual({
    total: 3,
    groups: [
      { lastError: 'timeout', count: 2, ...moments },
      { lastError: 'SQLSTATE 53100: disk full', count: 1, ...moments },
    ],
  });
  for (const { lastError, count, firstParkedAt } of found.groups) {
    const filter = `lastError=${encodeURIComponent(lastError ?? '')}&parkedFrom=${firstParkedAt}`;
    expect((await listPage(auditor, `${PARKED}?${filter}`)).total).toBe(count);
  }
  expect(await groups('organizationCode=INS-BRAVO')).toMatchObject({
    total: 1,
    groups: [{ lastError: 'timeout', count: 1 }],
  });
  expect(await groups('kind=CANCEL')).toEqual({ total: 0, groups: [] });
});

it('the groups accept the filters of the list and nothing else', async () => {
  expect(fieldsOf(await auditor.get(`${PARKED}/groups?limit=1`))).toEqual(['limit']);
});
