import type { RuleSet } from '../../../../shared/contract/staff/rules.ts';
import { auditedActions, fieldsOf, listAll, listPage } from '../../../env/staff/lists.ts';
import { DEFAULT_RULES, RULE_SETS, RuleSetWorld } from '../../../env/staff/rule-sets.ts';
import { outcomeOf } from '../../../env/staff/staff.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const world = new RuleSetWorld();
beforeAll(() => world.start());
afterAll(() => world.stack.stop());
beforeEach(() => world.reset());

describe('drafting a rule set', () => {
  it('takes missing values from the rule set in force, and does not apply yet', async () => {
    const { createdAt, id, ...ruleSet } = await world.draft({
      maxCoverageDays: 100,
      note: 'Shorter',
    });
    expect(ruleSet).toEqual({
      ...DEFAULT_RULES,
      maxCoverageDays: 100,
      note: 'Shorter',
      status: 'DRAFT',
      activeFrom: null,
      activeUntil: null,
      version: 1,
      createdBy: world.admin.email,
    });
    expect(createdAt).toBe(world.clock.now().toISOString());
    expect(await world.outcome()).toBe('ACCEPTED ACTIVE');
    expect(await auditedActions(world.admin, 'RULE_SET', id)).toEqual([
      {
        action: 'RULE_SET_DRAFTED',
        before: null,
        after: { ...DEFAULT_RULES, maxCoverageDays: 100, note: 'Shorter' },
      },
    ]);
  });

  it('is VALIDATION_FAILED for impossible values', async () => {
    const wrong: [object, string[]][] = [
      [{ coverageTypes: [] }, ['coverageTypes']],
      [{ coverageTypes: ['A', 'A'] }, ['coverageTypes']],
      [{ coverageTypes: ['ppai standard'] }, ['coverageTypes[0]']],
      [{ maxCoverageDays: 0 }, ['maxCoverageDays']],
      [{ maxVehiclesPerCertificate: 501 }, ['maxVehiclesPerCertificate']],
      [{ expiringWithinDays: -1, flagNoMatch: 'no' }, ['expiringWithinDays', 'flagNoMatch']],
      [{ activeFrom: world.minutesFromNow(1) }, ['activeFrom']],
    ];
    for (const [body, fields] of wrong) {
      const answer = await world.admin.post(RULE_SETS, body);
      expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
        status: 422,
        code: 'VALIDATION_FAILED',
        fields,
      });
    }
  });
});

describe('changing a draft', () => {
  it('keeps missing values, and succeeds for one of two changes of the same version', async () => {
    const { id } = await world.draft();
    const both = await Promise.all(
      [10, 20].map((maxCoverageDays) => world.change(id, { maxCoverageDays, expectedVersion: 1 })),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const now = await world.read(id);
    expect(now).toMatchObject({
      ...DEFAULT_RULES,
      maxCoverageDays: now.maxCoverageDays,
      version: 2,
    });
    const [, changed] = await auditedActions(world.admin, 'RULE_SET', id);
    expect(changed).toMatchObject({
      action: 'RULE_SET_CHANGED',
      before: { maxCoverageDays: 400 },
      after: { maxCoverageDays: now.maxCoverageDays },
    });
  });

  it('to its present values changes nothing and is not audited', async () => {
    const { id } = await world.draft();
    await world.change(id, { ...DEFAULT_RULES, expectedVersion: 1 });
    expect(await auditedActions(world.admin, 'RULE_SET', id)).toHaveLength(1);
  });

  it('is VALIDATION_FAILED without a version', async () => {
    const { id } = await world.draft();
    expect(fieldsOf(await world.change(id, { maxCoverageDays: 1 }))).toEqual(['expectedVersion']);
  });
});

describe('the list of rule sets', () => {
  it('has the history and the drafts, filtered by status, with the total, in pages, newest first', async () => {
    const made: RuleSet[] = [];
    for (let at = 0; at < 3; at += 1) {
      world.clock.advance(1_000);
      made.push(await world.draft({ maxCoverageDays: 100 + at }));
    }
    const [one, two, three] = made.map(({ id }) => id);
    await world.activate(one ?? UNKNOWN_ID);
    await world.activate(two ?? UNKNOWN_ID, {
      activeFrom: world.minutesFromNow(5),
      expectedVersion: 1,
    });
    const listed = async (query: string) =>
      (await listAll<RuleSet>(world.admin, `${RULE_SETS}${query}`)).map(({ id }) => id);
    expect((await listed('')).filter((id) => made.some((ruleSet) => ruleSet.id === id))).toEqual([
      three,
      two,
      one,
    ]);
    expect(await listed('?status=DRAFT')).toEqual([three]);
    expect(await listed('?status=SCHEDULED')).toEqual([two]);
    expect(await listed('?status=ACTIVE')).toEqual([one]);
    expect(await listed('?status=SUPERSEDED')).toHaveLength(1);
    expect((await listPage(world.admin, `${RULE_SETS}?limit=1`)).total).toBe(4);
    expect(outcomeOf(await world.admin.get(`${RULE_SETS}?status=OLD`)).code).toBe(
      'VALIDATION_FAILED',
    );
  });
});

describe('a missing rule set', () => {
  it('is NOT_FOUND', async () => {
    const answers = [
      await world.admin.get(`${RULE_SETS}/${UNKNOWN_ID}`),
      await world.admin.get(`${RULE_SETS}/the-latest`),
      await world.change(UNKNOWN_ID, { expectedVersion: 1 }),
      await world.activate(UNKNOWN_ID),
      await world.withdraw(UNKNOWN_ID, 1),
      await world.admin.get(`${RULE_SETS}/${UNKNOWN_ID}/trial`),
    ];
    for (const answer of answers) {
      expect(outcomeOf(answer)).toEqual({ status: 404, code: 'NOT_FOUND' });
    }
  });
});
