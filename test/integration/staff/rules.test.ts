import type { RuleSet } from '../../../shared/contract/staff/rules.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { type MovableClock, makeMovableClock } from '../../../shared/platform/clock.ts';
import { type BodyChanges, makeBody, makeVehicle } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { actsOn, fieldsOf, listAll, listPage } from '../../env/staff/lists.ts';
import { outcomeOf, type StaffBrowser, signInAs } from '../../env/staff/staff.ts';

const BASE = '/admin/v1/rule-sets';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const CONFLICT = { status: 409, code: 'CONFLICT' };
const TODAY = '2026-10-15';
const START = new Date(`${TODAY}T02:00:00Z`);
const MINUTE_MS = 60_000;

let clock: MovableClock;
let stack: Stack;
let admin: StaffBrowser;
beforeAll(async () => {
  clock = makeMovableClock(START);
  stack = await startStack({ clock });
});
afterAll(() => stack.stop());

beforeEach(async () => {
  clock.moveTo(START);
  admin = await signInAs(stack, 'ADMINISTRATOR');
});
afterEach(
  () => stack.api.context.db.$executeRaw`DELETE FROM rule_sets WHERE created_by <> 'migration'`,
);

const DEFAULTS = {
  coverageTypes: ['PPAI_STANDARD'],
  maxCoverageDays: 400,
  maxVehiclesPerCertificate: 500,
  expiringWithinDays: 30,
  flagNoMatch: true,
  flagForReview: true,
};

async function draft(body: object = {}): Promise<RuleSet> {
  const { envelope, status, text } = await admin.post(BASE, body);
  if (status !== 201) throw new Error(text);
  return envelope.data as unknown as RuleSet;
}

const change = (id: string, body: object) =>
  admin.send({ method: 'PATCH', path: `${BASE}/${id}`, body });
const activate = (id: string, body: object = { expectedVersion: 1 }) =>
  admin.post(`${BASE}/${id}/activate`, body);
const withdraw = (id: string, expectedVersion: number) =>
  admin.post(`${BASE}/${id}/withdraw`, { expectedVersion });
const read = async (id: string) =>
  (await admin.get(`${BASE}/${id}`)).envelope.data as unknown as RuleSet;
const minutesFromNow = (minutes: number) =>
  new Date(clock.now().getTime() + minutes * MINUTE_MS).toISOString();

/** Codes of errors of a transmission now, or its status when there are none. */
async function outcome(changes: BodyChanges = {}): Promise<string> {
  const { findings, acknowledgment } = await stack.transmit('alpha', bodyOf(changes));
  const codes = findings.filter(({ severity }) => severity === 'ERROR').map(({ code }) => code);
  return codes.length > 0
    ? codes.join()
    : `${acknowledgment.status} ${acknowledgment.coverageStatus}`;
}

function bodyOf(changes: BodyChanges) {
  return makeBody({
    ...changes,
    policy: { issuanceDate: TODAY, ...changes.policy },
    certificate: {
      effectiveDate: TODAY,
      expirationDate: addDays(TODAY, 365),
      ...changes.certificate,
    },
  });
}

describe('drafting a rule set', () => {
  it('takes what is left out from the one in force, and judges nothing', async () => {
    const { createdAt, id, ...ruleSet } = await draft({ maxCoverageDays: 100, note: 'Shorter' });
    expect(ruleSet).toEqual({
      ...DEFAULTS,
      maxCoverageDays: 100,
      note: 'Shorter',
      status: 'DRAFT',
      activeFrom: null,
      activeUntil: null,
      version: 1,
      createdBy: admin.email,
    });
    expect(createdAt).toBe(clock.now().toISOString());
    expect(await outcome()).toBe('ACCEPTED ACTIVE');
    expect(await actsOn(admin, 'RULE_SET', id)).toEqual([
      {
        action: 'RULE_SET_DRAFTED',
        before: null,
        after: { ...DEFAULTS, maxCoverageDays: 100, note: 'Shorter' },
      },
    ]);
  });

  it('is VALIDATION_FAILED with values that no rule set can have', async () => {
    const wrong: [object, string[]][] = [
      [{ coverageTypes: [] }, ['coverageTypes']],
      [{ coverageTypes: ['A', 'A'] }, ['coverageTypes']],
      [{ coverageTypes: ['ppai standard'] }, ['coverageTypes[0]']],
      [{ maxCoverageDays: 0 }, ['maxCoverageDays']],
      [{ maxVehiclesPerCertificate: 501 }, ['maxVehiclesPerCertificate']],
      [{ expiringWithinDays: -1, flagNoMatch: 'no' }, ['expiringWithinDays', 'flagNoMatch']],
      [{ activeFrom: minutesFromNow(1) }, ['activeFrom']],
    ];
    for (const [body, fields] of wrong) {
      const answer = await admin.post(BASE, body);
      expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
        status: 422,
        code: 'VALIDATION_FAILED',
        fields,
      });
    }
  });
});

describe('changing a draft', () => {
  it('keeps what is left out, once for two who saw the same version', async () => {
    const { id } = await draft();
    const both = await Promise.all(
      [10, 20].map((maxCoverageDays) => change(id, { maxCoverageDays, expectedVersion: 1 })),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const now = await read(id);
    expect(now).toMatchObject({ ...DEFAULTS, maxCoverageDays: now.maxCoverageDays, version: 2 });
    const [, changed] = await actsOn(admin, 'RULE_SET', id);
    expect(changed).toMatchObject({
      action: 'RULE_SET_CHANGED',
      before: { maxCoverageDays: 400 },
      after: { maxCoverageDays: now.maxCoverageDays },
    });
  });

  it('to what it is already is no act', async () => {
    const { id } = await draft();
    await change(id, { ...DEFAULTS, expectedVersion: 1 });
    expect(await actsOn(admin, 'RULE_SET', id)).toHaveLength(1);
  });

  it('is VALIDATION_FAILED without a version', async () => {
    const { id } = await draft();
    expect(fieldsOf(await change(id, { maxCoverageDays: 1 }))).toEqual(['expectedVersion']);
  });
});

describe('activating a rule set', () => {
  it('lets it judge the next transmission', async () => {
    const { id } = await draft({
      coverageTypes: ['PPAI_STANDARD', 'PPAI_PLUS'],
      maxCoverageDays: 364,
      maxVehiclesPerCertificate: 1,
      expiringWithinDays: 366,
      flagNoMatch: false,
    });
    const plus = { policy: { coverageType: 'PPAI_PLUS' } };
    const unmatched = { vehicles: [makeVehicle()] };
    const short = { certificate: { expirationDate: addDays(TODAY, 364) } };
    expect(await outcome(plus)).toBe('UNSUPPORTED_COVERAGE_TYPE');
    expect(await outcome({ vehicles: [makeVehicle()] })).toBe('FLAGGED ACTIVE');

    const { status, envelope } = await activate(id);
    expect({ status, data: envelope.data }).toMatchObject({
      status: 200,
      data: { id, status: 'ACTIVE', activeFrom: clock.now().toISOString(), version: 2 },
    });
    expect(await outcome({ ...plus, ...short })).toBe('ACCEPTED EXPIRING');
    expect(await outcome()).toBe('COVERAGE_TOO_LONG');
    expect(await outcome({ ...unmatched, ...short })).toBe('ACCEPTED EXPIRING');
    expect(await outcome({ ...short, vehicles: [makeVehicle(), makeVehicle()] })).toBe(
      'INVALID_FORMAT',
    );
    expect((await admin.get(`${BASE}/active`)).envelope.data).toMatchObject({ id });
    expect((await actsOn(admin, 'RULE_SET', id)).at(-1)).toMatchObject({
      action: 'RULE_SET_ACTIVATED',
      before: { activeFrom: null },
      after: { activeFrom: clock.now().toISOString(), maxCoverageDays: 364 },
    });
  });

  it('from a moment on counts from that millisecond on', async () => {
    const { id } = await draft({ maxCoverageDays: 100 });
    const before = await admin.get(`${BASE}/active`);
    const moment = minutesFromNow(5);
    const scheduled = await activate(id, {
      activeFrom: moment.replace('Z', '+00:00'),
      expectedVersion: 1,
    });
    expect(scheduled.envelope.data).toMatchObject({ status: 'SCHEDULED', activeFrom: moment });
    const [first] = (await listPage<RuleSet>(admin, `${BASE}?status=ACTIVE`)).items;
    expect(first).toMatchObject({ activeUntil: moment, id: before.envelope.data?.['id'] });

    clock.moveTo(new Date(Date.parse(moment) - 1));
    expect(await outcome()).toBe('ACCEPTED ACTIVE');
    clock.moveTo(new Date(moment));
    expect(await outcome()).toBe('COVERAGE_TOO_LONG');
    expect(await read(id)).toMatchObject({ status: 'ACTIVE' });
    expect(await read(first?.id ?? NOBODY)).toMatchObject({ status: 'SUPERSEDED' });
  });

  it('in the past is VALIDATION_FAILED', async () => {
    const { id } = await draft();
    const answer = await activate(id, { activeFrom: minutesFromNow(-1), expectedVersion: 1 });
    expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
      fields: ['activeFrom'],
    });
    expect(await read(id)).toMatchObject({ status: 'DRAFT', version: 1 });
  });

  it('is CONFLICT when somebody changed the draft meanwhile', async () => {
    const { id } = await draft();
    await change(id, { maxCoverageDays: 1, expectedVersion: 1 });
    expect(outcomeOf(await activate(id))).toEqual(CONFLICT);
  });

  it('is CONFLICT at the moment of another, also for one of two at once', async () => {
    const [one, other, third] = [await draft(), await draft(), await draft()];
    const body = { activeFrom: minutesFromNow(5), expectedVersion: 1 };
    const both = await Promise.all([activate(one.id, body), activate(other.id, body)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(outcomeOf(await activate(third.id, body))).toEqual(CONFLICT);
  });
});

describe('an activated rule set', () => {
  it('never changes: not by the API, and not in the database', async () => {
    const { id } = await draft();
    await activate(id);
    expect(outcomeOf(await change(id, { maxCoverageDays: 1, expectedVersion: 2 }))).toEqual(
      CONFLICT,
    );
    expect(outcomeOf(await activate(id, { expectedVersion: 2 }))).toEqual(CONFLICT);
    expect(outcomeOf(await withdraw(id, 2))).toEqual(CONFLICT);
    const { db } = stack.api.context;
    await expect(
      db.$executeRaw`UPDATE rule_sets SET max_coverage_days = 1 WHERE id = ${id}::uuid`,
    ).rejects.toThrow(/never changes/);
    await expect(
      db.$executeRaw`UPDATE rule_sets SET active_from = active_from + interval '1 day' WHERE id = ${id}::uuid`,
    ).rejects.toThrow(/never changes/);
    expect(await read(id)).toMatchObject({ ...DEFAULTS, version: 2 });
  });

  it('can be withdrawn before its moment, and is a draft again', async () => {
    const { id } = await draft({ maxCoverageDays: 100 });
    const activeFrom = minutesFromNow(5);
    await activate(id, { activeFrom, expectedVersion: 1 });
    expect(outcomeOf(await change(id, { maxCoverageDays: 1, expectedVersion: 2 }))).toEqual(
      CONFLICT,
    );
    expect(outcomeOf(await withdraw(id, 1))).toEqual(CONFLICT);
    expect((await withdraw(id, 2)).envelope.data).toMatchObject({
      status: 'DRAFT',
      activeFrom: null,
      version: 3,
    });
    clock.advance(6 * MINUTE_MS);
    expect(await outcome()).toBe('ACCEPTED ACTIVE');
    expect((await actsOn(admin, 'RULE_SET', id)).at(-1)).toEqual({
      action: 'RULE_SET_WITHDRAWN',
      before: { activeFrom },
      after: { activeFrom: null },
    });
    expect((await change(id, { maxCoverageDays: 1, expectedVersion: 3 })).status).toBe(200);
  });
});

describe('the list of rule sets', () => {
  it('is the whole history with the drafts, by status, counted and paged newest first', async () => {
    const made: RuleSet[] = [];
    for (let at = 0; at < 3; at += 1) {
      clock.advance(1_000);
      made.push(await draft({ maxCoverageDays: 100 + at }));
    }
    const [one, two, three] = made.map(({ id }) => id);
    await activate(one ?? NOBODY);
    await activate(two ?? NOBODY, { activeFrom: minutesFromNow(5), expectedVersion: 1 });
    const listed = async (query: string) =>
      (await listAll<RuleSet>(admin, `${BASE}${query}`)).map(({ id }) => id);
    expect((await listed('')).filter((id) => made.some((ruleSet) => ruleSet.id === id))).toEqual([
      three,
      two,
      one,
    ]);
    expect(await listed('?status=DRAFT')).toEqual([three]);
    expect(await listed('?status=SCHEDULED')).toEqual([two]);
    expect(await listed('?status=ACTIVE')).toEqual([one]);
    expect(await listed('?status=SUPERSEDED')).toHaveLength(1);
    expect((await listPage(admin, `${BASE}?limit=1`)).total).toBe(4);
    expect(outcomeOf(await admin.get(`${BASE}?status=OLD`)).code).toBe('VALIDATION_FAILED');
  });
});

describe('a rule set that is not there', () => {
  it('is NOT_FOUND', async () => {
    const answers = [
      await admin.get(`${BASE}/${NOBODY}`),
      await admin.get(`${BASE}/the-latest`),
      await change(NOBODY, { expectedVersion: 1 }),
      await activate(NOBODY),
      await withdraw(NOBODY, 1),
      await admin.get(`${BASE}/${NOBODY}/trial`),
    ];
    for (const answer of answers) {
      expect(outcomeOf(answer)).toEqual({ status: 404, code: 'NOT_FOUND' });
    }
  });
});
