import type { Organization } from '../../../../shared/contract/staff/organizations.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { raiseFlag } from '../../../env/staff/flags.ts';
import { listPage } from '../../../env/staff/lists.ts';
import { outcomeOf, refused, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const BASE = '/admin/v1/organizations';

let stack: Stack;
let auditor: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  auditor = await signInAs(stack, 'AUDITOR');
});
afterAll(() => stack.stop());

async function find(code: string): Promise<Organization> {
  const { items, total } = await listPage<Organization>(auditor, `${BASE}?code=${code}`);
  expect(total).toBe(items.length);
  if (items[0] === undefined) throw new Error(`${code} is missing`);
  return items[0];
}

async function countsOf({ id }: Organization): Promise<object | null> {
  const { status, envelope, text } = await auditor.get(`${BASE}/${id}/counts`);
  if (status !== 200) throw new Error(text);
  return envelope.data;
}

it('an organization is found by its whole code alone', async () => {
  expect(await find('INS-BRAVO')).toMatchObject({ code: 'INS-BRAVO' });
  const others = await listPage(auditor, `${BASE}?code=INS`);
  expect(others).toMatchObject({ items: [], total: 0 });
});

describe('the counts of an organization', () => {
  it('cover its clients, memberships, policies, open flags and waiting transmissions', async () => {
    const bravo = await find('INS-BRAVO');
    const { db } = stack.api.context;
    const clients = await db.apiClient.count({ where: { organizationId: bravo.id } });
    const before = await countsOf(bravo);
    expect(before).toMatchObject({ clients, policies: 0, openFlags: 0, waiting: 0, parked: 0 });

    await raiseFlag(stack, auditor, {}, 'INS-BRAVO');
    await stack.stopWorkers();
    const issuingInsurerCode = 'INS-BRAVO';
    const sent = await stack.post(
      'bravo',
      '/ppai/policies',
      makeBody({ issuingInsurerCode }),
      'respond-async',
    );
    expect(sent.status).toBe(202);
    expect(await countsOf(bravo)).toEqual({ ...before, policies: 1, openFlags: 1, waiting: 1 });
    await db.apiClient.updateMany({
      where: { organizationId: bravo.id },
      data: { status: 'SUSPENDED' },
    });
    await stack.ownerDb.transmission.updateMany({
      where: { status: 'RECEIVED' },
      data: { parkedAt: new Date() },
    });
    expect(await countsOf(bravo)).toMatchObject({
      clients,
      activeClients: 0,
      waiting: 0,
      parked: 1,
    });
  });

  it('cover the memberships of the current day', async () => {
    const alpha = await find('INS-ALPHA');
    const { db } = stack.api.context;
    await db.poolMembership.deleteMany({ where: { insurerId: alpha.id } });
    const north = await find('POOL-NORTH');
    const days = (from: string, to: string | null) => ({
      poolId: north.id,
      insurerId: alpha.id,
      validFrom: new Date(from),
      validTo: to === null ? null : new Date(to),
    });
    const past = days('2020-01-01', '2020-12-31');
    await db.poolMembership.createMany({ data: [past, days('2021-01-01', null)] });
    expect(await countsOf(alpha)).toMatchObject({ memberships: 1 });
  });

  it('are NOT_FOUND for another id', async () => {
    const answer = await auditor.get(`${BASE}/00000000-0000-4000-8000-000000000000/counts`);
    expect(outcomeOf(answer)).toEqual(refused(404, 'NOT_FOUND'));
  });
});
