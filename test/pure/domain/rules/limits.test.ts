import { checkLimits } from '../../../../shared/domain/rules/limits.ts';
import { type BodyChanges, makeVehicle } from '../../../env/api/bodies.ts';
import { makeFacts, makeSubmission, TODAY } from '../facts-and-submissions.ts';

const { ruleSet } = makeFacts();
const newer = {
  ruleSet: {
    ...ruleSet,
    coverageTypes: ['PPAI_PLUS'],
    maxCoverageDays: 30,
    maxVehiclesPerCertificate: 2,
  },
};
const ofDays = (effectiveDate: string, expirationDate: string) => ({
  certificate: { effectiveDate, expirationDate },
});
const ofVehicles = (count: number) => ({
  vehicles: Array.from({ length: count }, () => makeVehicle()),
});

/** The findings with one code about a record that has these changes before and after an amendment. */
function amended(before: BodyChanges, after: BodyChanges, about: string): string[] {
  const amending = { current: makeSubmission(before), findSentPath: () => undefined };
  return checkLimits(makeSubmission(after), newer, amending).flatMap(
    ({ code, field, severity, level }) =>
      code === about ? `${level} ${severity} ${code} ${field}` : [],
  );
}

describe('a record that exceeds a newer limit of the rule set (D30)', () => {
  it.each<[string, BodyChanges, BodyChanges, string]>([
    [
      'the same days',
      ofDays(TODAY, '2026-09-30'),
      ofDays(TODAY, '2026-09-30'),
      'COVERAGE_TOO_LONG certificate.expirationDate',
    ],
    [
      'the same number of other days',
      ofDays(TODAY, '2026-09-30'),
      ofDays('2026-06-16', '2026-10-01'),
      'COVERAGE_TOO_LONG certificate.expirationDate',
    ],
    [
      'fewer days',
      ofDays(TODAY, '2026-09-30'),
      ofDays(TODAY, '2026-09-29'),
      'COVERAGE_TOO_LONG certificate.expirationDate',
    ],
    ['as many vehicles', ofVehicles(4), ofVehicles(4), 'INVALID_FORMAT vehicles'],
    ['fewer vehicles', ofVehicles(4), ofVehicles(3), 'INVALID_FORMAT vehicles'],
    ['the same coverage type', {}, {}, 'UNSUPPORTED_COVERAGE_TYPE policy.coverageType'],
  ])('may be amended to %s, with a warning', (_what, before, after, finding) => {
    expect(amended(before, after, finding.split(' ')[0] ?? '')).toEqual([`2 WARNING ${finding}`]);
  });

  it.each<[string, BodyChanges, BodyChanges, string]>([
    [
      'a day more',
      ofDays(TODAY, '2026-09-30'),
      ofDays(TODAY, '2026-10-01'),
      'COVERAGE_TOO_LONG certificate.expirationDate',
    ],
    [
      'more days than allowed, if it had fewer',
      ofDays(TODAY, '2026-07-15'),
      ofDays(TODAY, '2026-07-16'),
      'COVERAGE_TOO_LONG certificate.expirationDate',
    ],
    ['a vehicle more', ofVehicles(4), ofVehicles(5), 'INVALID_FORMAT vehicles'],
    ['more vehicles, if it had few', ofVehicles(2), ofVehicles(3), 'INVALID_FORMAT vehicles'],
    [
      'another retired coverage type',
      {},
      { policy: { coverageType: 'PPAI_BASIC' } },
      'UNSUPPORTED_COVERAGE_TYPE policy.coverageType',
    ],
  ])('may not be amended to %s', (_what, before, after, finding) => {
    expect(amended(before, after, finding.split(' ')[0] ?? '')).toEqual([`2 ERROR ${finding}`]);
  });

  it('has no finding once it is within the limits again', () => {
    expect(amended(ofVehicles(4), ofVehicles(2), 'INVALID_FORMAT')).toEqual([]);
    expect(
      amended(
        ofDays(TODAY, '2026-09-30'),
        { ...ofDays(TODAY, '2026-07-15'), policy: { coverageType: 'PPAI_PLUS' } },
        'COVERAGE_TOO_LONG',
      ),
    ).toEqual([]);
  });

  it('has a finding with its own limit: its previous value', () => {
    const messages = checkLimits(makeSubmission(ofVehicles(5)), newer, {
      current: makeSubmission(ofVehicles(4)),
      findSentPath: (path) => `changes.${path}.add`,
    }).map(({ field, message }) => `${field}: ${message}`);
    expect(messages).toContain(
      'changes.vehicles.add: The certificate would have 5 vehicles; at most 4 are allowed. Transmit the others under another certificate number.',
    );
  });
});
