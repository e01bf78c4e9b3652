import type { RuleSet } from '../../../../shared/contract/staff/rules.ts';
import { addDays } from '../../../../shared/domain/calendar.ts';
import { makeVehicle } from '../../../env/api/bodies.ts';
import { auditedActions, fieldsOf, listPage } from '../../../env/staff/lists.ts';
import { DEFAULT_RULES, RULE_SETS, RuleSetWorld, TODAY } from '../../../env/staff/rule-sets.ts';
import { outcomeOf } from '../../../env/staff/staff.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const CONFLICT = { status: 409, code: 'CONFLICT' };
const MINUTE_MS = 60_000;

const world = new RuleSetWorld();
beforeAll(() => world.start());
afterAll(() => world.stack.stop());
beforeEach(() => world.reset());

describe('activating a rule set', () => {
  it('applies it to the next transmission', async () => {
    const { id } = await world.draft({
      coverageTypes: ['PPAI_STANDARD', 'PPAI_PLUS'],
      maxCoverageDays: 364,
      maxVehiclesPerCertificate: 1,
      expiringWithinDays: 366,
      flagNoMatch: false,
    });
    const plus = { policy: { coverageType: 'PPAI_PLUS' } };
    const unmatched = { vehicles: [makeVehicle()] };
    const short = { certificate: { expirationDate: addDays(TODAY, 364) } };
    expect(await world.outcome(plus)).toBe('UNSUPPORTED_COVERAGE_TYPE');
    expect(await world.outcome({ vehicles: [makeVehicle()] })).toBe('FLAGGED ACTIVE');

    const { status, envelope } = await world.activate(id);
    expect({ status, data: envelope.data }).toMatchObject({
      status: 200,
      data: { id, status: 'ACTIVE', activeFrom: world.clock.now().toISOString(), version: 2 },
    });
    expect(await world.outcome({ ...plus, ...short })).toBe('ACCEPTED EXPIRING');
    expect(await world.outcome()).toBe('COVERAGE_TOO_LONG');
    expect(await world.outcome({ ...unmatched, ...short })).toBe('ACCEPTED EXPIRING');
    expect(await world.outcome({ ...short, vehicles: [makeVehicle(), makeVehicle()] })).toBe(
      'INVALID_FORMAT',
    );
    expect((await world.admin.get(`${RULE_SETS}/active`)).envelope.data).toMatchObject({ id });
    expect((await auditedActions(world.admin, 'RULE_SET', id)).at(-1)).toMatchObject({
      action: 'RULE_SET_ACTIVATED',
      before: { activeFrom: null },
      after: { activeFrom: world.clock.now().toISOString(), maxCoverageDays: 364 },
    });
  });

  it('applies it from the exact millisecond of its start', async () => {
    const { id } = await world.draft({ maxCoverageDays: 100 });
    const before = await world.admin.get(`${RULE_SETS}/active`);
    const moment = world.minutesFromNow(5);
    const scheduled = await world.activate(id, {
      activeFrom: moment.replace('Z', '+00:00'),
      expectedVersion: 1,
    });
    expect(scheduled.envelope.data).toMatchObject({ status: 'SCHEDULED', activeFrom: moment });
    const [first] = (await listPage<RuleSet>(world.admin, `${RULE_SETS}?status=ACTIVE`)).items;
    expect(first).toMatchObject({ activeUntil: moment, id: before.envelope.data?.['id'] });

    world.clock.moveTo(new Date(Date.parse(moment) - 1));
    expect(await world.outcome()).toBe('ACCEPTED ACTIVE');
    world.clock.moveTo(new Date(moment));
    expect(await world.outcome()).toBe('COVERAGE_TOO_LONG');
    expect(await world.read(id)).toMatchObject({ status: 'ACTIVE' });
    expect(await world.read(first?.id ?? UNKNOWN_ID)).toMatchObject({ status: 'SUPERSEDED' });
  });

  it('is VALIDATION_FAILED for a time in the past', async () => {
    const { id } = await world.draft();
    const answer = await world.activate(id, {
      activeFrom: world.minutesFromNow(-1),
      expectedVersion: 1,
    });
    expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
      fields: ['activeFrom'],
    });
    expect(await world.read(id)).toMatchObject({ status: 'DRAFT', version: 1 });
  });

  it('is CONFLICT when the draft changed meanwhile', async () => {
    const { id } = await world.draft();
    await world.change(id, { maxCoverageDays: 1, expectedVersion: 1 });
    expect(outcomeOf(await world.activate(id))).toEqual(CONFLICT);
  });

  it('is CONFLICT at the time of another activation, also for one of two concurrent ones', async () => {
    const [one, other, third] = [await world.draft(), await world.draft(), await world.draft()];
    const body = { activeFrom: world.minutesFromNow(5), expectedVersion: 1 };
    const both = await Promise.all([world.activate(one.id, body), world.activate(other.id, body)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(outcomeOf(await world.activate(third.id, body))).toEqual(CONFLICT);
  });
});

describe('an activated rule set', () => {
  it('never changes, neither through the API nor in the database', async () => {
    const { id } = await world.draft();
    await world.activate(id);
    expect(outcomeOf(await world.change(id, { maxCoverageDays: 1, expectedVersion: 2 }))).toEqual(
      CONFLICT,
    );
    expect(outcomeOf(await world.activate(id, { expectedVersion: 2 }))).toEqual(CONFLICT);
    expect(outcomeOf(await world.withdraw(id, 2))).toEqual(CONFLICT);
    const { db } = world.stack.api.context;
    await expect(
      db.$executeRaw`UPDATE rule_sets SET max_coverage_days = 1 WHERE id = ${id}::uuid`,
    ).rejects.toThrow(/never changes/);
    await expect(
      db.$executeRaw`UPDATE rule_sets SET active_from = active_from + interval '1 day' WHERE id = ${id}::uuid`,
    ).rejects.toThrow(/never changes/);
    expect(await world.read(id)).toMatchObject({ ...DEFAULT_RULES, version: 2 });
  });

  it('can be withdrawn before its start, and is a draft again', async () => {
    const { id } = await world.draft({ maxCoverageDays: 100 });
    const activeFrom = world.minutesFromNow(5);
    await world.activate(id, { activeFrom, expectedVersion: 1 });
    expect(outcomeOf(await world.change(id, { maxCoverageDays: 1, expectedVersion: 2 }))).toEqual(
      CONFLICT,
    );
    expect(outcomeOf(await world.withdraw(id, 1))).toEqual(CONFLICT);
    expect((await world.withdraw(id, 2)).envelope.data).toMatchObject({
      status: 'DRAFT',
      activeFrom: null,
      version: 3,
    });
    world.clock.advance(6 * MINUTE_MS);
    expect(await world.outcome()).toBe('ACCEPTED ACTIVE');
    expect((await auditedActions(world.admin, 'RULE_SET', id)).at(-1)).toEqual({
      action: 'RULE_SET_WITHDRAWN',
      before: { activeFrom },
      after: { activeFrom: null },
    });
    expect((await world.change(id, { maxCoverageDays: 1, expectedVersion: 3 })).status).toBe(200);
  });
});
