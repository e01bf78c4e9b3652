import { randomUUID } from 'node:crypto';
import type { FlagItem } from '../../../shared/contract/staff/flags.ts';
import type { Organization } from '../../../shared/contract/staff/organizations.ts';
import { makeBody, makeVehicle } from '../../env/api/bodies.ts';
import type { TestAnswer } from '../../env/api/signed-request.ts';
import { listPage } from '../../env/staff/lists.ts';
import { POOLS, PoolWorld } from '../../env/staff/pools.ts';
import { type StaffBrowser, signInAs } from '../../env/staff/staff.ts';

let world: PoolWorld;
let admin: StaffBrowser;
beforeAll(async () => {
  world = await PoolWorld.start();
  ({ admin } = world);
});
afterAll(() => world.stack.stop());

/** The reasons that a refusal names, and the object that it shows (D71). */
function conflictOf({ status, envelope }: TestAnswer) {
  const reasons = envelope.error?.details?.map(({ code }) => code);
  return { status, code: envelope.error?.code, reasons, data: envelope.data };
}

function conflict(reason: string, data: object | null) {
  return { status: 409, code: 'CONFLICT', reasons: [reason], data };
}

async function patch(path: string, body: object): Promise<TestAnswer> {
  return admin.send({ method: 'PATCH', path, body });
}

async function read(path: string): Promise<object> {
  const { status, envelope, text } = await admin.get(path);
  if (status !== 200 || envelope.data === null) throw new Error(text);
  return envelope.data;
}

describe('a change of an old version is STALE_VERSION with the object as it is now:', () => {
  it('an organization', async () => {
    const path = `/admin/v1/organizations/${world.idOf('INS-BRAVO')}`;
    const { version } = (await read(path)) as Organization;
    const body = { name: 'Bravo Assurance', expectedVersion: version };
    expect((await patch(path, body)).status).toBe(200);
    const refused = await patch(path, { ...body, name: 'Bravo Limited' });
    expect(conflictOf(refused)).toEqual(conflict('STALE_VERSION', await read(path)));
    expect(refused.envelope.data).toMatchObject({ name: 'Bravo Assurance', version: version + 1 });
  });

  it('a pool and a membership', async () => {
    const pool = await world.createPool();
    const path = `${POOLS}/${pool.id}`;
    const stale = await patch(path, { managementCompanyId: null, expectedVersion: 9 });
    expect(conflictOf(stale)).toEqual(conflict('STALE_VERSION', await read(path)));
    const insurerId = world.idOf('INS-BRAVO');
    const member = await world.addMember(pool.id, { insurerId, validFrom: '2026-01-01' });
    const end = { validTo: '2026-06-30', expectedVersion: 9 };
    const refused = await world.end(pool.id, member.id, end);
    expect(conflictOf(refused)).toEqual(conflict('STALE_VERSION', member));
  });

  it('a client, by a change and by a rotation', async () => {
    const { items } = await listPage<{ id: string }>(admin, '/admin/v1/clients?limit=1');
    const path = `/admin/v1/clients/${items[0]?.id}`;
    const changed = await patch(path, { name: 'Other', expectedVersion: 99 });
    expect(conflictOf(changed)).toEqual(conflict('STALE_VERSION', await read(path)));
    const rotation = { secrets: ['CLIENT_SECRET'], overlapSeconds: 60, expectedVersion: 99 };
    const rotated = await admin.post(`${path}/rotate-secrets`, rotation);
    expect(conflictOf(rotated)).toEqual(conflict('STALE_VERSION', await read(path)));
  });

  it('a draft of a rule set', async () => {
    const { envelope } = await admin.post('/admin/v1/rule-sets', {});
    const path = `/admin/v1/rule-sets/${String(envelope.data?.['id'])}`;
    const refused = await patch(path, { maxCoverageDays: 300, expectedVersion: 2 });
    expect(conflictOf(refused)).toEqual(conflict('STALE_VERSION', await read(path)));
  });
});

describe('ALREADY_DECIDED', () => {
  it('tells the second reviewer of a flag who decided, when, and with which notes', async () => {
    const [first, second] = [
      await signInAs(world.stack, 'REVIEWER'),
      await signInAs(world.stack, 'REVIEWER'),
    ];
    const { acknowledgment } = await world.stack.transmit(
      'alpha',
      makeBody({ vehicles: [makeVehicle()] }),
    );
    const query = `registryReference=${acknowledgment.registryReference}`;
    const { items } = await listPage<FlagItem>(first, `/admin/v1/flags?${query}`);
    const path = `/admin/v1/flags/${items[0]?.id}`;
    await first.post(`${path}/clear`, { notes: 'The plate was re-issued.' });
    const refused = await second.post(`${path}/refer`, { notes: 'Please check.' });
    expect(conflictOf(refused)).toEqual(conflict('ALREADY_DECIDED', await read(path)));
    expect(refused.envelope.data).toMatchObject({
      status: 'CLEARED',
      reviewedBy: first.email,
      reviewedAt: expect.any(String),
      reviewNotes: 'The plate was re-issued.',
    });
  });

  it('is the answer for a rule set that is in force', async () => {
    const active = await read('/admin/v1/rule-sets/active');
    const { id, version } = active as { id: string; version: number };
    const changed = await patch(`/admin/v1/rule-sets/${id}`, { expectedVersion: version });
    expect(conflictOf(changed)).toEqual(conflict('ALREADY_DECIDED', active));
    const path = `/admin/v1/rule-sets/${id}/withdraw`;
    const withdrawn = await admin.post(path, { expectedVersion: version });
    expect(conflictOf(withdrawn)).toEqual(conflict('ALREADY_DECIDED', active));
  });
});

describe('CODE_TAKEN', () => {
  it('shows the organization that has the code, also for a pool', async () => {
    const taken = { code: 'INS-ALPHA', name: 'Another' };
    const other = await read(`/admin/v1/organizations/${world.idOf('INS-ALPHA')}`);
    const body = { ...taken, type: 'INSURANCE_COMPANY' };
    const created = await admin.post('/admin/v1/organizations', body);
    expect(conflictOf(created)).toEqual(conflict('CODE_TAKEN', other));
    const pool = await admin.post(POOLS, { ...taken, leadInsurerId: world.idOf('INS-BRAVO') });
    expect(conflictOf(pool)).toEqual(conflict('CODE_TAKEN', other));
  });

  it('does not show the user who has the address', async () => {
    const body = { email: admin.email, role: 'REVIEWER' };
    const created = await admin.post('/admin/v1/users', body);
    expect(conflictOf(created)).toEqual(conflict('CODE_TAKEN', null));
  });
});

it('OVERLAP is the answer for a second membership on the same days', async () => {
  const pool = await world.createPool();
  const body = { insurerId: world.idOf('INS-BRAVO'), validFrom: '2026-01-01' };
  await world.addMember(pool.id, body);
  expect(conflictOf(await world.add(pool.id, body))).toEqual(conflict('OVERLAP', null));
});

it('OVERLAP is the answer for a second rule set at one moment', async () => {
  const activeFrom = '2999-01-01T00:00:00Z';
  const drafts = [
    await admin.post('/admin/v1/rule-sets', {}),
    await admin.post('/admin/v1/rule-sets', {}),
  ];
  const [first, second] = drafts.map(({ envelope }) => envelope.data);
  const activate = (id: unknown) =>
    admin.post(`/admin/v1/rule-sets/${String(id)}/activate`, { activeFrom, expectedVersion: 1 });
  expect((await activate(first?.['id'])).status).toBe(200);
  expect(conflictOf(await activate(second?.['id']))).toEqual(conflict('OVERLAP', second ?? null));
});

it('NOT_PARKED shows the transmission as it is', async () => {
  const { acknowledgment } = await world.stack.transmit('alpha', makeBody());
  const reference = acknowledgment.transmissionReference;
  const refused = await admin.post(`/admin/v1/queue/parked/${reference}/send-again`);
  const current = await read(`/admin/v1/transmissions/${reference}`);
  expect(conflictOf(refused)).toEqual(conflict('NOT_PARKED', current));
});

it('LAST_ADMINISTRATOR shows the user', async () => {
  const path = `/admin/v1/users/${admin.userId}`;
  const others = { role: 'ADMINISTRATOR', id: { not: admin.userId } };
  await world.stack.api.context.db.staffUser.updateMany({
    where: others,
    data: { status: 'DISABLED' },
  });
  const refused = await admin.post(`${path}/disable`);
  expect(conflictOf(refused)).toEqual(conflict('LAST_ADMINISTRATOR', await read(path)));
});

it('ALREADY_ENROLLED is the answer for an enrollment by a session', async () => {
  const reviewer = await signInAs(world.stack, 'REVIEWER', `${randomUUID()}@staff.example`);
  const refused = await reviewer.post('/auth/v1/mfa/enroll');
  expect(conflictOf(refused)).toEqual(conflict('ALREADY_ENROLLED', null));
});
