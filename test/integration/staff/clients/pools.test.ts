import type { Pool } from '../../../../shared/contract/staff/pools.ts';
import { auditedActions, fieldsOf, listAll, listPage } from '../../../env/staff/lists.ts';
import { POOLS, PoolWorld, UNKNOWN_ID } from '../../../env/staff/pools.ts';
import { outcomeOf } from '../../../env/staff/staff.ts';

const CONFLICT = { status: 409, code: 'CONFLICT' };
const NOT_FOUND = { status: 404, code: 'NOT_FOUND' };

let world: PoolWorld;
beforeAll(async () => {
  world = await PoolWorld.start();
});
afterAll(() => world.stack.stop());

describe('creating a pool', () => {
  it('makes an organization with a lead insurer and a management company', async () => {
    const pool = await world.createPool({ managementCompanyId: world.idOf('MGT-ONE') });
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
    expect((await world.admin.get(`${POOLS}/${pool.id}`)).envelope.data).toEqual(pool);
    expect(
      (await world.admin.get(`/admin/v1/organizations/${pool.id}`)).envelope.data,
    ).toMatchObject({
      type: 'INSURANCE_POOL',
    });
    expect(await auditedActions(world.admin, 'POOL', pool.id)).toEqual([
      {
        action: 'POOL_CREATED',
        before: null,
        after: {
          code: 'POOL-1',
          name: 'Pool 1',
          leadInsurerId: world.idOf('INS-ALPHA'),
          managementCompanyId: world.idOf('MGT-ONE'),
        },
      },
    ]);
  });

  it('is CONFLICT when the code is taken', async () => {
    const body = { code: 'POOL-NORTH', name: 'x', leadInsurerId: world.idOf('INS-ALPHA') };
    expect(outcomeOf(await world.admin.post(POOLS, body))).toEqual(CONFLICT);
  });

  it('is VALIDATION_FAILED when an organization is missing or of another type', async () => {
    const body = { code: 'POOL-WRONG', name: 'x' };
    for (const leadInsurerId of [world.idOf('MGT-ONE'), UNKNOWN_ID, 'INS-ALPHA']) {
      const answer = await world.admin.post(POOLS, { ...body, leadInsurerId });
      expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
        status: 422,
        code: 'VALIDATION_FAILED',
        fields: ['leadInsurerId'],
      });
    }
    const answer = await world.admin.post(POOLS, {
      ...body,
      leadInsurerId: world.idOf('INS-ALPHA'),
      managementCompanyId: world.idOf('INS-BRAVO'),
    });
    expect(fieldsOf(answer)).toEqual(['managementCompanyId']);
  });
});

describe('the list of pools', () => {
  it('is filtered, with the total, in pages, newest first', async () => {
    const one = await world.createPool({ leadInsurerId: world.idOf('INS-DORMANT') });
    const two = await world.createPool({
      leadInsurerId: world.idOf('INS-DORMANT'),
      managementCompanyId: world.idOf('MGT-ONE'),
    });
    await world.admin.post(`/admin/v1/organizations/${one.id}/suspend`);
    const lead = `leadInsurerId=${world.idOf('INS-DORMANT')}`;
    const listed = async (query: string) =>
      (await listAll<Pool>(world.admin, `${POOLS}?${query}`)).map(({ id }) => id);
    expect(await listed(lead)).toEqual([two.id, one.id]);
    expect(await listed(`${lead}&status=SUSPENDED`)).toEqual([one.id]);
    expect(await listed(`${lead}&managementCompanyId=${world.idOf('MGT-ONE')}`)).toEqual([two.id]);
    expect(await listed(`text=${two.code.toLowerCase()}`)).toEqual([two.id]);
    expect((await listPage(world.admin, `${POOLS}?${lead}&limit=1`)).total).toBe(2);
  });
});

describe('changing a pool', () => {
  it('moves the authority to transmit for its members at once', async () => {
    const pool = await world.createPool();
    await world.addMember(pool.id, {
      insurerId: world.idOf('INS-CHARLIE'),
      validFrom: '2020-01-01',
    });
    const day = '2026-06-01';
    const refused = ['NOT_AUTHORIZED_TO_TRANSMIT'];
    expect(await world.errorsOf('alpha', 'INS-CHARLIE', day)).toEqual([]);
    expect(await world.errorsOf('bravo', 'INS-CHARLIE', day)).toEqual(refused);
    expect(await world.errorsOf('mgt-one', 'INS-CHARLIE', day)).toEqual(refused);

    const changed = await world.change(pool.id, {
      leadInsurerId: world.idOf('INS-BRAVO'),
      managementCompanyId: world.idOf('MGT-ONE'),
      expectedVersion: 1,
    });
    expect(changed.envelope.data).toMatchObject({
      leadInsurer: { code: 'INS-BRAVO' },
      managementCompany: { code: 'MGT-ONE' },
      version: 2,
    });
    expect(await world.errorsOf('alpha', 'INS-CHARLIE', day)).toEqual(refused);
    expect(await world.errorsOf('bravo', 'INS-CHARLIE', day)).toEqual([]);
    expect(await world.errorsOf('mgt-one', 'INS-CHARLIE', day)).toEqual([]);

    await world.change(pool.id, { managementCompanyId: null, expectedVersion: 2 });
    expect(await world.errorsOf('bravo', 'INS-CHARLIE', day)).toEqual([]);
    expect(await world.errorsOf('mgt-one', 'INS-CHARLIE', day)).toEqual(refused);
    expect((await auditedActions(world.admin, 'POOL', pool.id)).slice(1)).toEqual([
      {
        action: 'POOL_CHANGED',
        before: { leadInsurerId: world.idOf('INS-ALPHA'), managementCompanyId: null },
        after: {
          leadInsurerId: world.idOf('INS-BRAVO'),
          managementCompanyId: world.idOf('MGT-ONE'),
        },
      },
      {
        action: 'POOL_CHANGED',
        before: {
          leadInsurerId: world.idOf('INS-BRAVO'),
          managementCompanyId: world.idOf('MGT-ONE'),
        },
        after: { leadInsurerId: world.idOf('INS-BRAVO'), managementCompanyId: null },
      },
    ]);
  });

  it('is CONFLICT for the second of two requests with the same version', async () => {
    const { id } = await world.createPool();
    const both = await Promise.all(
      ['INS-BRAVO', 'INS-CHARLIE'].map((code) =>
        world.change(id, { leadInsurerId: world.idOf(code), expectedVersion: 1 }),
      ),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  it('to its present values changes nothing and is not audited', async () => {
    const { id } = await world.createPool();
    await world.change(id, { leadInsurerId: world.idOf('INS-ALPHA'), expectedVersion: 1 });
    expect(await auditedActions(world.admin, 'POOL', id)).toHaveLength(1);
  });

  it('is VALIDATION_FAILED for a wrong organization or a missing version, and NOT_FOUND for a missing pool', async () => {
    const { id } = await world.createPool();
    const wrong = { leadInsurerId: world.idOf('MGT-ONE'), expectedVersion: 1 };
    expect(fieldsOf(await world.change(id, wrong))).toEqual(['leadInsurerId']);
    expect(fieldsOf(await world.change(id, {}))).toEqual(['expectedVersion']);
    expect(outcomeOf(await world.change(world.idOf('INS-ALPHA'), { expectedVersion: 1 }))).toEqual(
      NOT_FOUND,
    );
    expect(outcomeOf(await world.admin.get(`${POOLS}/${world.idOf('INS-ALPHA')}`))).toEqual(
      NOT_FOUND,
    );
  });
});
