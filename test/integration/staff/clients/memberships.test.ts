import type { InsurerMembership, Membership } from '../../../../shared/contract/staff/pools.ts';
import { auditedActions, fieldsOf, listAll } from '../../../env/staff/lists.ts';
import { POOLS, PoolWorld, UNKNOWN_ID } from '../../../env/staff/pools.ts';
import { outcomeOf } from '../../../env/staff/staff.ts';

const CONFLICT = { status: 409, code: 'CONFLICT' };
const NOT_FOUND = { status: 404, code: 'NOT_FOUND' };

let world: PoolWorld;
beforeAll(async () => {
  world = await PoolWorld.start();
});
afterAll(() => world.stack.stop());

describe('a membership', () => {
  it('gives authority on its days, the first and last included, as soon as it is added', async () => {
    const pool = await world.createPool({ leadInsurerId: world.idOf('INS-CHARLIE') });
    const refused = ['NOT_AUTHORIZED_TO_TRANSMIT'];
    expect(await world.errorsOf('charlie', 'INS-ALPHA', '2026-02-01')).toEqual(refused);
    const membership = await world.addMember(pool.id, {
      insurerId: world.idOf('INS-ALPHA'),
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
    expect(await world.errorsOf('charlie', 'INS-ALPHA', '2026-01-31')).toEqual(refused);
    expect(await world.errorsOf('charlie', 'INS-ALPHA', '2026-02-01')).toEqual([]);
    expect(await world.errorsOf('charlie', 'INS-ALPHA', '2026-03-31')).toEqual([]);
    expect(await world.errorsOf('charlie', 'INS-ALPHA', '2026-04-01')).toEqual(refused);

    const ended = await world.end(pool.id, membership.id, {
      validTo: '2026-02-10',
      expectedVersion: 1,
    });
    expect(ended.envelope.data).toMatchObject({ validTo: '2026-02-10', version: 2 });
    expect(await world.errorsOf('charlie', 'INS-ALPHA', '2026-02-10')).toEqual([]);
    expect(await world.errorsOf('charlie', 'INS-ALPHA', '2026-02-11')).toEqual(refused);
    expect(await auditedActions(world.admin, 'POOL_MEMBERSHIP', membership.id)).toEqual([
      {
        action: 'POOL_MEMBERSHIP_ADDED',
        before: null,
        after: {
          poolId: pool.id,
          insurerId: world.idOf('INS-ALPHA'),
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

  it('is CONFLICT if it overlaps another membership of the insurer in the pool', async () => {
    const { id } = await world.createPool();
    const bravo = { insurerId: world.idOf('INS-BRAVO') };
    const first = await world.addMember(id, {
      ...bravo,
      validFrom: '2025-01-01',
      validTo: '2025-06-30',
    });
    expect(outcomeOf(await world.add(id, { ...bravo, validFrom: '2025-06-30' }))).toEqual(CONFLICT);
    const second = await world.addMember(id, { ...bravo, validFrom: '2025-07-01' });
    expect(outcomeOf(await world.add(id, { ...bravo, validFrom: '2030-01-01' }))).toEqual(CONFLICT);
    const longer = { validTo: '2025-07-01', expectedVersion: 1 };
    expect(outcomeOf(await world.end(id, first.id, longer))).toEqual(CONFLICT);
    const endless = { validTo: null, expectedVersion: 1 };
    expect(outcomeOf(await world.end(id, first.id, endless))).toEqual(CONFLICT);
    await world.addMember(id, { insurerId: world.idOf('INS-CHARLIE'), validFrom: '2025-06-30' });
    await world.end(id, second.id, { validTo: '2025-12-31', expectedVersion: 1 });
    await world.addMember(id, { ...bravo, validFrom: '2026-01-01' });
    expect(await auditedActions(world.admin, 'POOL_MEMBERSHIP', first.id)).toHaveLength(1);
  });

  it('is added once by two concurrent requests', async () => {
    const { id } = await world.createPool();
    const body = { insurerId: world.idOf('INS-BRAVO'), validFrom: '2026-01-01' };
    const both = await Promise.all([world.add(id, body), world.add(id, body)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });

  it('ends once for two requests with the same version, and its end can be revoked', async () => {
    const { id } = await world.createPool();
    const membership = await world.addMember(id, {
      insurerId: world.idOf('INS-BRAVO'),
      validFrom: '2026-01-01',
    });
    const both = await Promise.all(
      ['2026-03-31', '2026-04-30'].map((validTo) =>
        world.end(id, membership.id, { validTo, expectedVersion: 1 }),
      ),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const back = await world.end(id, membership.id, { validTo: null, expectedVersion: 2 });
    expect(back.envelope.data).toMatchObject({ validTo: null, version: 3 });
  });

  it.each([
    [{ validFrom: '2026-02-30' }, ['validFrom']],
    [{ validFrom: '0001-01-01' }, ['validFrom']],
    [{ validFrom: '2026-03-01', validTo: '2026-02-28' }, ['validTo']],
    [{ insurerId: UNKNOWN_ID }, ['insurerId']],
  ])('is VALIDATION_FAILED with %j', async (changes, fields) => {
    const { id } = await world.createPool();
    const body = { insurerId: world.idOf('INS-BRAVO'), validFrom: '2026-01-01', ...changes };
    const answer = await world.add(id, body);
    expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
      fields,
    });
  });

  it('cannot end before it begins', async () => {
    const { id } = await world.createPool();
    const membership = await world.addMember(id, {
      insurerId: world.idOf('INS-BRAVO'),
      validFrom: '2026-01-01',
    });
    const answer = await world.end(id, membership.id, {
      validTo: '2025-12-31',
      expectedVersion: 1,
    });
    expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
      fields: ['validTo'],
    });
  });

  it('is NOT_FOUND under another pool', async () => {
    const [one, other] = [await world.createPool(), await world.createPool()];
    const body = { insurerId: world.idOf('INS-BRAVO'), validFrom: '2026-01-01' };
    const membership = await world.addMember(one.id, body);
    const ending = { validTo: null, expectedVersion: 1 };
    expect(outcomeOf(await world.end(other.id, membership.id, ending))).toEqual(NOT_FOUND);
    expect(outcomeOf(await world.end(one.id, UNKNOWN_ID, ending))).toEqual(NOT_FOUND);
    expect(outcomeOf(await world.add(UNKNOWN_ID, body))).toEqual(NOT_FOUND);
    expect(outcomeOf(await world.admin.get(`${POOLS}/${UNKNOWN_ID}/memberships`))).toEqual(
      NOT_FOUND,
    );
  });

  it('is listed by insurer and day, the latest start first', async () => {
    const { id } = await world.createPool();
    const bravo = { insurerId: world.idOf('INS-BRAVO') };
    const early = await world.addMember(id, {
      ...bravo,
      validFrom: '2025-01-01',
      validTo: '2025-12-31',
    });
    const charlie = await world.addMember(id, {
      insurerId: world.idOf('INS-CHARLIE'),
      validFrom: '2025-06-01',
    });
    const late = await world.addMember(id, { ...bravo, validFrom: '2026-02-01' });
    const listed = async (query: string) =>
      (await listAll<Membership>(world.admin, `${POOLS}/${id}/memberships${query}`)).map(
        (one) => one.id,
      );
    expect(await listed('')).toEqual([late.id, charlie.id, early.id]);
    expect(await listed(`?insurerId=${world.idOf('INS-BRAVO')}`)).toEqual([late.id, early.id]);
    expect(await listed('?on=2025-12-31')).toEqual([charlie.id, early.id]);
    expect(await listed('?on=2026-01-01')).toEqual([charlie.id]);
  });

  it('is listed for its insurer with the pool, of all pools, the latest start first', async () => {
    const [one, other] = [await world.createPool(), await world.createPool()];
    const insurerId = world.idOf('INS-DORMANT');
    const early = await world.addMember(one.id, {
      insurerId,
      validFrom: '2024-01-01',
      validTo: '2024-12-31',
    });
    const late = await world.addMember(other.id, { insurerId, validFrom: '2025-06-01' });
    await world.addMember(one.id, { insurerId: world.idOf('INS-BRAVO'), validFrom: '2025-06-01' });
    const listed = (query: string) =>
      listAll<InsurerMembership>(
        world.admin,
        `/admin/v1/organizations/${insurerId}/memberships${query}`,
      );
    const { insurer: _, ...fields } = late;
    const [first] = await listed('');
    expect(first).toEqual({ ...fields, pool: expect.objectContaining({ code: other.code }) });
    expect((await listed('')).map(({ id }) => id)).toEqual([late.id, early.id]);
    expect((await listed('?on=2024-12-31')).map(({ id }) => id)).toEqual([early.id]);
    const path = `/admin/v1/organizations/${UNKNOWN_ID}/memberships`;
    expect(outcomeOf(await world.admin.get(path))).toEqual(NOT_FOUND);
  });
});
