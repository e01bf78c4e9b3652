import type { Organization } from '../../../../shared/contract/staff/organizations.ts';
import type { Membership, Pool } from '../../../../shared/contract/staff/pools.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { actsOn, fieldsOf, listAll, listPage } from '../../../env/staff/lists.ts';
import { outcomeOf, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const BASE = '/admin/v1/pools';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const CONFLICT = { status: 409, code: 'CONFLICT' };
const NOT_FOUND = { status: 404, code: 'NOT_FOUND' };

let stack: Stack;
let admin: StaffBrowser;
const ids = new Map<string, string>();
beforeAll(async () => {
  stack = await startStack();
  admin = await signInAs(stack, 'ADMINISTRATOR');
  const path = '/admin/v1/organizations?limit=200';
  for (const { code, id } of (await listPage<Organization>(admin, path)).items) ids.set(code, id);
});
afterAll(() => stack.stop());

const idOf = (code: string) => ids.get(code) ?? NOBODY;

let made = 0;
async function createPool(body: object = {}): Promise<Pool> {
  made += 1;
  const { envelope, status, text } = await admin.post(BASE, {
    code: `POOL-${made}`,
    name: `Pool ${made}`,
    leadInsurerId: idOf('INS-ALPHA'),
    ...body,
  });
  if (status !== 201) throw new Error(text);
  return envelope.data as unknown as Pool;
}

const change = (id: string, body: object) =>
  admin.send({ method: 'PATCH', path: `${BASE}/${id}`, body });
const add = (poolId: string, body: object) => admin.post(`${BASE}/${poolId}/memberships`, body);
async function addMember(poolId: string, body: object): Promise<Membership> {
  const { envelope, status, text } = await add(poolId, body);
  if (status !== 201) throw new Error(text);
  return envelope.data as unknown as Membership;
}
const end = (poolId: string, membershipId: string, body: object) =>
  admin.post(`${BASE}/${poolId}/memberships/${membershipId}/end`, body);

/** The codes of errors of a transmission for an insurer, issued on a day. */
async function errorsOf(client: string, issuingInsurerCode: string, issuanceDate: string) {
  const { findings } = await stack.transmit(
    client,
    makeBody({ issuingInsurerCode, policy: { issuanceDate } }),
  );
  return findings.filter(({ severity }) => severity === 'ERROR').map(({ code }) => code);
}

describe('creating a pool', () => {
  it('makes an organization with a lead insurer and a management company', async () => {
    const pool = await createPool({ managementCompanyId: idOf('MGT-ONE') });
    expect(pool).toEqual({
      id: expect.any(String),
      code: 'POOL-1',
      name: 'Pool 1',
      status: 'ACTIVE',
      leadInsurer: expect.objectContaining({ code: 'INS-ALPHA' }),
      managementCompany: expect.objectContaining({ code: 'MGT-ONE' }),
      version: 1,
      createdAt: expect.any(String),
    });
    expect((await admin.get(`${BASE}/${pool.id}`)).envelope.data).toEqual(pool);
    expect((await admin.get(`/admin/v1/organizations/${pool.id}`)).envelope.data).toMatchObject({
      type: 'INSURANCE_POOL',
    });
    expect(await actsOn(admin, 'POOL', pool.id)).toEqual([
      {
        action: 'POOL_CREATED',
        before: null,
        after: {
          code: 'POOL-1',
          name: 'Pool 1',
          leadInsurerId: idOf('INS-ALPHA'),
          managementCompanyId: idOf('MGT-ONE'),
        },
      },
    ]);
  });

  it('is CONFLICT when the code is taken', async () => {
    const body = { code: 'POOL-NORTH', name: 'x', leadInsurerId: idOf('INS-ALPHA') };
    expect(outcomeOf(await admin.post(BASE, body))).toEqual(CONFLICT);
  });

  it('is VALIDATION_FAILED when an organization is missing or of another type', async () => {
    const body = { code: 'POOL-WRONG', name: 'x' };
    for (const leadInsurerId of [idOf('MGT-ONE'), NOBODY, 'INS-ALPHA']) {
      const answer = await admin.post(BASE, { ...body, leadInsurerId });
      expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
        status: 422,
        code: 'VALIDATION_FAILED',
        fields: ['leadInsurerId'],
      });
    }
    const answer = await admin.post(BASE, {
      ...body,
      leadInsurerId: idOf('INS-ALPHA'),
      managementCompanyId: idOf('INS-BRAVO'),
    });
    expect(fieldsOf(answer)).toEqual(['managementCompanyId']);
  });
});

describe('the list of pools', () => {
  it('is filtered, counted and paged newest first', async () => {
    const one = await createPool({ leadInsurerId: idOf('INS-DORMANT') });
    const two = await createPool({
      leadInsurerId: idOf('INS-DORMANT'),
      managementCompanyId: idOf('MGT-ONE'),
    });
    await admin.post(`/admin/v1/organizations/${one.id}/suspend`);
    const lead = `leadInsurerId=${idOf('INS-DORMANT')}`;
    const listed = async (query: string) =>
      (await listAll<Pool>(admin, `${BASE}?${query}`)).map(({ id }) => id);
    expect(await listed(lead)).toEqual([two.id, one.id]);
    expect(await listed(`${lead}&status=SUSPENDED`)).toEqual([one.id]);
    expect(await listed(`${lead}&managementCompanyId=${idOf('MGT-ONE')}`)).toEqual([two.id]);
    expect(await listed(`text=${two.code.toLowerCase()}`)).toEqual([two.id]);
    expect((await listPage(admin, `${BASE}?${lead}&limit=1`)).total).toBe(2);
  });
});

describe('changing a pool', () => {
  it('gives the authority to transmit for its members to another at once', async () => {
    const pool = await createPool();
    await addMember(pool.id, { insurerId: idOf('INS-CHARLIE'), validFrom: '2020-01-01' });
    const day = '2026-06-01';
    const refused = ['NOT_AUTHORIZED_TO_TRANSMIT'];
    expect(await errorsOf('alpha', 'INS-CHARLIE', day)).toEqual([]);
    expect(await errorsOf('bravo', 'INS-CHARLIE', day)).toEqual(refused);
    expect(await errorsOf('mgt-one', 'INS-CHARLIE', day)).toEqual(refused);

    const changed = await change(pool.id, {
      leadInsurerId: idOf('INS-BRAVO'),
      managementCompanyId: idOf('MGT-ONE'),
      expectedVersion: 1,
    });
    expect(changed.envelope.data).toMatchObject({
      leadInsurer: { code: 'INS-BRAVO' },
      managementCompany: { code: 'MGT-ONE' },
      version: 2,
    });
    expect(await errorsOf('alpha', 'INS-CHARLIE', day)).toEqual(refused);
    expect(await errorsOf('bravo', 'INS-CHARLIE', day)).toEqual([]);
    expect(await errorsOf('mgt-one', 'INS-CHARLIE', day)).toEqual([]);

    await change(pool.id, { managementCompanyId: null, expectedVersion: 2 });
    expect(await errorsOf('bravo', 'INS-CHARLIE', day)).toEqual([]);
    expect(await errorsOf('mgt-one', 'INS-CHARLIE', day)).toEqual(refused);
    expect((await actsOn(admin, 'POOL', pool.id)).slice(1)).toEqual([
      {
        action: 'POOL_CHANGED',
        before: { leadInsurerId: idOf('INS-ALPHA'), managementCompanyId: null },
        after: { leadInsurerId: idOf('INS-BRAVO'), managementCompanyId: idOf('MGT-ONE') },
      },
      {
        action: 'POOL_CHANGED',
        before: { leadInsurerId: idOf('INS-BRAVO'), managementCompanyId: idOf('MGT-ONE') },
        after: { leadInsurerId: idOf('INS-BRAVO'), managementCompanyId: null },
      },
    ]);
  });

  it('is CONFLICT for the second of two who saw the same version', async () => {
    const { id } = await createPool();
    const both = await Promise.all(
      ['INS-BRAVO', 'INS-CHARLIE'].map((code) =>
        change(id, { leadInsurerId: idOf(code), expectedVersion: 1 }),
      ),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  it('to what it is already is no act', async () => {
    const { id } = await createPool();
    await change(id, { leadInsurerId: idOf('INS-ALPHA'), expectedVersion: 1 });
    expect(await actsOn(admin, 'POOL', id)).toHaveLength(1);
  });

  it('is VALIDATION_FAILED for a wrong organization or no version, and NOT_FOUND for none', async () => {
    const { id } = await createPool();
    const wrong = { leadInsurerId: idOf('MGT-ONE'), expectedVersion: 1 };
    expect(fieldsOf(await change(id, wrong))).toEqual(['leadInsurerId']);
    expect(fieldsOf(await change(id, {}))).toEqual(['expectedVersion']);
    expect(outcomeOf(await change(idOf('INS-ALPHA'), { expectedVersion: 1 }))).toEqual(NOT_FOUND);
    expect(outcomeOf(await admin.get(`${BASE}/${idOf('INS-ALPHA')}`))).toEqual(NOT_FOUND);
  });
});

describe('a membership', () => {
  it('gives authority on its days, both included, as soon as it is added', async () => {
    const pool = await createPool({ leadInsurerId: idOf('INS-CHARLIE') });
    const refused = ['NOT_AUTHORIZED_TO_TRANSMIT'];
    expect(await errorsOf('charlie', 'INS-ALPHA', '2026-02-01')).toEqual(refused);
    const membership = await addMember(pool.id, {
      insurerId: idOf('INS-ALPHA'),
      validFrom: '2026-02-01',
      validTo: '2026-03-31',
    });
    expect(membership).toEqual({
      id: expect.any(String),
      insurer: expect.objectContaining({ code: 'INS-ALPHA' }),
      validFrom: '2026-02-01',
      validTo: '2026-03-31',
      version: 1,
      createdAt: expect.any(String),
    });
    expect(await errorsOf('charlie', 'INS-ALPHA', '2026-01-31')).toEqual(refused);
    expect(await errorsOf('charlie', 'INS-ALPHA', '2026-02-01')).toEqual([]);
    expect(await errorsOf('charlie', 'INS-ALPHA', '2026-03-31')).toEqual([]);
    expect(await errorsOf('charlie', 'INS-ALPHA', '2026-04-01')).toEqual(refused);

    const ended = await end(pool.id, membership.id, { validTo: '2026-02-10', expectedVersion: 1 });
    expect(ended.envelope.data).toMatchObject({ validTo: '2026-02-10', version: 2 });
    expect(await errorsOf('charlie', 'INS-ALPHA', '2026-02-10')).toEqual([]);
    expect(await errorsOf('charlie', 'INS-ALPHA', '2026-02-11')).toEqual(refused);
    expect(await actsOn(admin, 'POOL_MEMBERSHIP', membership.id)).toEqual([
      {
        action: 'POOL_MEMBERSHIP_ADDED',
        before: null,
        after: {
          poolId: pool.id,
          insurerId: idOf('INS-ALPHA'),
          validFrom: '2026-02-01',
          validTo: '2026-03-31',
        },
      },
      {
        action: 'POOL_MEMBERSHIP_ENDED',
        before: { validTo: '2026-03-31' },
        after: { validTo: '2026-02-10' },
      },
    ]);
  });

  it('shares no day with another of the same insurer in the pool: CONFLICT', async () => {
    const { id } = await createPool();
    const bravo = { insurerId: idOf('INS-BRAVO') };
    const first = await addMember(id, { ...bravo, validFrom: '2025-01-01', validTo: '2025-06-30' });
    expect(outcomeOf(await add(id, { ...bravo, validFrom: '2025-06-30' }))).toEqual(CONFLICT);
    const second = await addMember(id, { ...bravo, validFrom: '2025-07-01' });
    expect(outcomeOf(await add(id, { ...bravo, validFrom: '2030-01-01' }))).toEqual(CONFLICT);
    const longer = { validTo: '2025-07-01', expectedVersion: 1 };
    expect(outcomeOf(await end(id, first.id, longer))).toEqual(CONFLICT);
    const endless = { validTo: null, expectedVersion: 1 };
    expect(outcomeOf(await end(id, first.id, endless))).toEqual(CONFLICT);
    await addMember(id, { insurerId: idOf('INS-CHARLIE'), validFrom: '2025-06-30' });
    await end(id, second.id, { validTo: '2025-12-31', expectedVersion: 1 });
    await addMember(id, { ...bravo, validFrom: '2026-01-01' });
    expect(await actsOn(admin, 'POOL_MEMBERSHIP', first.id)).toHaveLength(1);
  });

  it('is added once by two who add it at once', async () => {
    const { id } = await createPool();
    const body = { insurerId: idOf('INS-BRAVO'), validFrom: '2026-01-01' };
    const both = await Promise.all([add(id, body), add(id, body)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });

  it('ends once for two who saw the same version, and its end can be taken back', async () => {
    const { id } = await createPool();
    const membership = await addMember(id, {
      insurerId: idOf('INS-BRAVO'),
      validFrom: '2026-01-01',
    });
    const both = await Promise.all(
      ['2026-03-31', '2026-04-30'].map((validTo) =>
        end(id, membership.id, { validTo, expectedVersion: 1 }),
      ),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const back = await end(id, membership.id, { validTo: null, expectedVersion: 2 });
    expect(back.envelope.data).toMatchObject({ validTo: null, version: 3 });
  });

  it.each([
    [{ validFrom: '2026-02-30' }, ['validFrom']],
    [{ validFrom: '0001-01-01' }, ['validFrom']],
    [{ validFrom: '2026-03-01', validTo: '2026-02-28' }, ['validTo']],
    [{ insurerId: NOBODY }, ['insurerId']],
  ])('is VALIDATION_FAILED with %j', async (changes, fields) => {
    const { id } = await createPool();
    const body = { insurerId: idOf('INS-BRAVO'), validFrom: '2026-01-01', ...changes };
    const answer = await add(id, body);
    expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
      fields,
    });
  });

  it('does not end before it begins', async () => {
    const { id } = await createPool();
    const membership = await addMember(id, {
      insurerId: idOf('INS-BRAVO'),
      validFrom: '2026-01-01',
    });
    const answer = await end(id, membership.id, { validTo: '2025-12-31', expectedVersion: 1 });
    expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
      fields: ['validTo'],
    });
  });

  it('is NOT_FOUND in another pool', async () => {
    const [one, other] = [await createPool(), await createPool()];
    const body = { insurerId: idOf('INS-BRAVO'), validFrom: '2026-01-01' };
    const membership = await addMember(one.id, body);
    const ending = { validTo: null, expectedVersion: 1 };
    expect(outcomeOf(await end(other.id, membership.id, ending))).toEqual(NOT_FOUND);
    expect(outcomeOf(await end(one.id, NOBODY, ending))).toEqual(NOT_FOUND);
    expect(outcomeOf(await add(NOBODY, body))).toEqual(NOT_FOUND);
    expect(outcomeOf(await admin.get(`${BASE}/${NOBODY}/memberships`))).toEqual(NOT_FOUND);
  });

  it('is listed by insurer and day, latest first day first', async () => {
    const { id } = await createPool();
    const bravo = { insurerId: idOf('INS-BRAVO') };
    const early = await addMember(id, { ...bravo, validFrom: '2025-01-01', validTo: '2025-12-31' });
    const charlie = await addMember(id, {
      insurerId: idOf('INS-CHARLIE'),
      validFrom: '2025-06-01',
    });
    const late = await addMember(id, { ...bravo, validFrom: '2026-02-01' });
    const listed = async (query: string) =>
      (await listAll<Membership>(admin, `${BASE}/${id}/memberships${query}`)).map((one) => one.id);
    expect(await listed('')).toEqual([late.id, charlie.id, early.id]);
    expect(await listed(`?insurerId=${idOf('INS-BRAVO')}`)).toEqual([late.id, early.id]);
    expect(await listed('?on=2025-12-31')).toEqual([charlie.id, early.id]);
    expect(await listed('?on=2026-01-01')).toEqual([charlie.id]);
  });
});
