import {
  areSame,
  bodyOf,
  fieldsInConflict,
  rebase,
  textsOf,
} from '../../../../console/pages/rules/form/texts.ts';
import { changesBetween } from '../../../../console/pages/rules/rule-set.ts';
import { momentInZone } from '../../../../console/pages/rules/zoned-time.ts';

const VALUES = {
  coverageTypes: ['PPAI_STANDARD'],
  maxCoverageDays: 400,
  maxVehiclesPerCertificate: 500,
  expiringWithinDays: 30,
  flagNoMatch: true,
  flagForReview: true,
  note: null,
};

const texts = (changes: Partial<typeof VALUES> = {}) => textsOf({ ...VALUES, ...changes });

it('the fields of a rule set hold its values', () => {
  expect(bodyOf(texts())).toEqual(VALUES);
  expect(areSame(texts(), texts({ maxCoverageDays: 401 }))).toBe(false);
});

it('coverage types may be separated by lines, spaces and commas', () => {
  const typed = { ...texts(), coverageTypes: ' A, B\n\nC ' };
  expect(bodyOf(typed).coverageTypes).toEqual(['A', 'B', 'C']);
});

it('my changes on a new version keep what somebody else changed beside them', () => {
  const [mine, read, now] = [
    texts({ maxCoverageDays: 300 }),
    texts(),
    texts({ maxCoverageDays: 200, expiringWithinDays: 10 }),
  ];
  expect(bodyOf(rebase(mine, read, now))).toEqual({
    ...VALUES,
    maxCoverageDays: 300,
    expiringWithinDays: 10,
  });
  expect(fieldsInConflict(mine, read, now)).toEqual(['maxCoverageDays', 'expiringWithinDays']);
});

it('the changes between two rule sets are phrases', () => {
  const later = {
    ...VALUES,
    maxCoverageDays: 1_365,
    flagNoMatch: false,
    coverageTypes: ['A', 'B'],
  };
  expect(changesBetween(VALUES, later)).toEqual([
    'Coverage types: PPAI_STANDARD → A, B',
    'Longest cover in days: 400 → 1,365',
    'A vehicle without a match at level 4: is flagged → is not flagged',
  ]);
  expect(changesBetween(VALUES, { ...VALUES })).toEqual([]);
});

it.each([
  ['2026-12-01T08:00', 'Asia/Manila', '2026-12-01T08:00:00+08:00'],
  ['2026-12-01T08:00', 'UTC', '2026-12-01T08:00:00+00:00'],
  ['2026-07-01T23:30', 'America/St_Johns', '2026-07-01T23:30:00-02:30'],
  // The clocks go forward at 02:00 and back at 03:00.
  ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T01:59:00+01:00'],
  ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T03:00:00+02:00'],
  ['2026-10-25T04:00', 'Europe/Berlin', '2026-10-25T04:00:00+01:00'],
])('%s in %s is %s', (local, zone, moment) => expect(momentInZone(local, zone)).toBe(moment));

it('what is no date and time has no moment', () => {
  expect(() => momentInZone('tomorrow', 'UTC')).toThrow(RangeError);
});
