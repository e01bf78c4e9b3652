import type { Organization } from '../../../../shared/contract/staff/organizations.ts';
import { makeBody, makeReferenceVehicle } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { auditedActions, fieldsOf, listAll, listPage } from '../../../env/staff/lists.ts';
import { outcomeOf, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const BASE = '/admin/v1/organizations';
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let stack: Stack;
let admin: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  admin = await signInAs(stack, 'ADMINISTRATOR');
});
afterAll(() => stack.stop());

async function create(code: string, type = 'INSURANCE_COMPANY'): Promise<Organization> {
  const { status, envelope, text } = await admin.post(BASE, { code, name: `${code} Inc.`, type });
  if (status !== 201) throw new Error(text);
  return envelope.data as unknown as Organization;
}

async function find(code: string): Promise<Organization> {
  const { items } = await listPage<Organization>(admin, `${BASE}?text=${code}`);
  const found = items.find((one) => one.code === code);
  if (found === undefined) throw new Error(`${code} is missing`);
  return found;
}

const rename = (id: string, body: object) =>
  admin.send({ method: 'PATCH', path: `${BASE}/${id}`, body });

describe('creating an organization', () => {
  it('answers 201 with its location, ACTIVE and at version 1, and is audited', async () => {
    const { status, headers, envelope } = await admin.post(BASE, {
      code: 'INS-DELTA',
      name: '  Delta Insurance ',
      type: 'INSURANCE_COMPANY',
    });
    const { id } = envelope.data as unknown as Organization;
    const organization = {
      id,
      code: 'INS-DELTA',
      name: 'Delta Insurance',
      type: 'INSURANCE_COMPANY',
      status: 'ACTIVE',
      version: 1,
      createdAt: expect.any(String),
    };
    expect({ status, location: headers['location'], data: envelope.data }).toEqual({
      status: 201,
      location: `${BASE}/${id}`,
      data: organization,
    });
    expect((await admin.get(`${BASE}/${id}`)).envelope.data).toEqual(organization);
    const after = { code: 'INS-DELTA', name: 'Delta Insurance', type: 'INSURANCE_COMPANY' };
    expect(await auditedActions(admin, 'ORGANIZATION', id)).toEqual([
      { action: 'ORGANIZATION_CREATED', before: null, after },
    ]);
  });

  it('is CONFLICT if the code is taken, also for one of two concurrent requests', async () => {
    expect(
      outcomeOf(await admin.post(BASE, { code: 'INS-ALPHA', name: 'x', type: 'REGULATOR' })),
    ).toEqual({
      status: 409,
      code: 'CONFLICT',
    });
    const body = { code: 'INS-TWICE', name: 'Twice', type: 'INSURANCE_COMPANY' };
    const both = await Promise.all([admin.post(BASE, body), admin.post(BASE, body)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });

  it.each([
    [{ code: 'ins-low', name: 'x', type: 'INSURANCE_COMPANY' }, ['code']],
    [{ code: 'A'.repeat(33), name: 'x', type: 'INSURANCE_COMPANY' }, ['code']],
    [{ code: 'INS-', name: ' ', type: 'INSURANCE_COMPANY' }, ['code', 'name']],
    [{ code: 'POOL-X', name: 'x', type: 'INSURANCE_POOL' }, ['type']],
    [{ code: 'INS-X', name: 'x', type: 'INSURANCE_COMPANY', status: 'SUSPENDED' }, ['status']],
    [{}, ['code', 'name', 'type']],
  ])('is VALIDATION_FAILED for %j', async (body, fields) => {
    const answer = await admin.post(BASE, body);
    expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
      fields,
    });
  });
});

describe('the list of organizations', () => {
  it('is filtered by type, status and text, with the total, in pages, newest first', async () => {
    const first = await create('MGT-LIST-ONE', 'MANAGEMENT_COMPANY');
    const second = await create('MGT-LIST-TWO', 'MANAGEMENT_COMPANY');
    await admin.post(`${BASE}/${second.id}/suspend`);
    const found = await listAll<Organization>(admin, `${BASE}?text=mgt-LIST`);
    expect(found.map(({ id }) => id)).toEqual([second.id, first.id]);
    const suspended = await listPage<Organization>(admin, `${BASE}?text=MGT-LIST&status=SUSPENDED`);
    expect(suspended).toMatchObject({ items: [{ id: second.id }], nextCursor: null, total: 1 });
    const pools = await listPage<Organization>(admin, `${BASE}?type=INSURANCE_POOL`);
    expect(pools.items.map(({ code }) => code)).toEqual(['POOL-NORTH']);
    expect((await listPage(admin, `${BASE}?limit=1`)).total).toBeGreaterThan(7);
  });

  it.each(['type=BANK', 'status=GONE', 'limit=0', 'cursor=abc', 'colour=red'])(
    'is VALIDATION_FAILED for ?%s',
    async (query) => {
      expect(outcomeOf(await admin.get(`${BASE}?${query}`)).code).toBe('VALIDATION_FAILED');
    },
  );
});

describe('renaming an organization', () => {
  it('changes only the name, and only once for two requests with the same version', async () => {
    const { id, code } = await create('INS-RENAMED');
    const both = await Promise.all(
      ['One', 'Two'].map((name) => rename(id, { name, expectedVersion: 1 })),
    );
    expect(both.map((answer) => outcomeOf(answer)).sort((a, b) => a.status - b.status)).toEqual([
      { status: 200, code: undefined },
      { status: 409, code: 'CONFLICT' },
    ]);
    const now = (await admin.get(`${BASE}/${id}`)).envelope.data as unknown as Organization;
    expect(now).toMatchObject({ code, name: expect.stringMatching(/^(One|Two)$/), version: 2 });
    expect((await auditedActions(admin, 'ORGANIZATION', id)).slice(1)).toEqual([
      {
        action: 'ORGANIZATION_RENAMED',
        before: { name: 'INS-RENAMED Inc.' },
        after: { name: now.name },
      },
    ]);
  });

  it('to its present name changes nothing and is not audited', async () => {
    const { id, name } = await create('INS-SAME');
    expect((await rename(id, { name, expectedVersion: 1 })).envelope.data).toMatchObject({
      version: 1,
    });
    expect(await auditedActions(admin, 'ORGANIZATION', id)).toHaveLength(1);
  });

  it('also changes the name in records that were registered before', async () => {
    const { acknowledgment } = await stack.transmit(
      'bravo',
      makeBody({ issuingInsurerCode: 'INS-BRAVO' }),
    );
    const bravo = await find('INS-BRAVO');
    await rename(bravo.id, { name: 'Bravo & Sons', expectedVersion: bravo.version });
    const path = `/ppai/policies/${acknowledgment.registryReference}`;
    expect((await stack.get('bravo', path)).envelope.data).toMatchObject({
      issuingInsurer: { code: 'INS-BRAVO', name: 'Bravo & Sons' },
    });
  });

  it('needs a name and the version', async () => {
    const { id } = await create('INS-BODY');
    expect(fieldsOf(await rename(id, {}))).toEqual(['name', 'expectedVersion']);
  });
});

describe('suspending an organization', () => {
  it('affects the next transmission by it and for it, until it is reactivated', async () => {
    const { id } = await find('INS-CHARLIE');
    const charlie = () =>
      stack.transmit('charlie', makeBody({ issuingInsurerCode: 'INS-CHARLIE' }));
    const forCharlie = () =>
      stack.transmit(
        'mgt-one',
        makeBody({
          issuingInsurerCode: 'INS-CHARLIE',
          policy: { issuanceDate: '2025-12-31' },
          vehicles: [makeReferenceVehicle(90)],
        }),
      );
    expect((await charlie()).acknowledgment.status).toBe('ACCEPTED');

    const suspended = await admin.post(`${BASE}/${id}/suspend`);
    expect({ ...outcomeOf(suspended), data: suspended.envelope.data }).toMatchObject({
      status: 200,
      data: { id, status: 'SUSPENDED', version: 2 },
    });
    const own = await charlie();
    expect(own.errorCode).toBe('VALIDATION_FAILED');
    const codes = own.findings.map(({ code }) => code);
    expect(codes).toEqual(
      expect.arrayContaining(['ORGANIZATION_NOT_ACTIVE', 'INSURER_NOT_ACTIVE']),
    );
    const others = (await forCharlie()).findings.map(({ code }) => code);
    expect(others).toContain('INSURER_NOT_ACTIVE');
    expect(others).not.toContain('ORGANIZATION_NOT_ACTIVE');

    await admin.post(`${BASE}/${id}/reactivate`);
    expect((await charlie()).acknowledgment.status).toBe('ACCEPTED');
    expect((await forCharlie()).acknowledgment.status).toBe('ACCEPTED');
    expect(await auditedActions(admin, 'ORGANIZATION', id)).toEqual([
      {
        action: 'ORGANIZATION_SUSPENDED',
        before: { status: 'ACTIVE' },
        after: { status: 'SUSPENDED' },
      },
      {
        action: 'ORGANIZATION_REACTIVATED',
        before: { status: 'SUSPENDED' },
        after: { status: 'ACTIVE' },
      },
    ]);
  });

  it('is audited once when it is repeated', async () => {
    const { id } = await create('INS-TWICE-SUSPENDED');
    for (const verb of ['suspend', 'suspend', 'reactivate', 'reactivate']) {
      expect((await admin.post(`${BASE}/${id}/${verb}`)).status).toBe(200);
    }
    const actions = (await auditedActions(admin, 'ORGANIZATION', id)).map(({ action }) => action);
    expect(actions).toEqual([
      'ORGANIZATION_CREATED',
      'ORGANIZATION_SUSPENDED',
      'ORGANIZATION_REACTIVATED',
    ]);
  });
});

describe('a missing organization', () => {
  it.each([UNKNOWN_ID, 'INS-ALPHA'])('is NOT_FOUND under %s', async (id) => {
    const notFound = { status: 404, code: 'NOT_FOUND' };
    expect(outcomeOf(await admin.get(`${BASE}/${id}`))).toEqual(notFound);
    expect(outcomeOf(await rename(id, { name: 'x', expectedVersion: 1 }))).toEqual(notFound);
    expect(outcomeOf(await admin.post(`${BASE}/${id}/suspend`))).toEqual(notFound);
    expect(outcomeOf(await admin.post(`${BASE}/${id}/reactivate`))).toEqual(notFound);
  });
});
