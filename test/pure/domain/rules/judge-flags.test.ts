import type { Facts } from '../../../../shared/domain/rules/facts.ts';
import { judge } from '../../../../shared/domain/rules/judge.ts';
import { type BodyChanges, makePlainVehicle, makeVehicle } from '../../../env/api/bodies.ts';
import {
  makeCanonical,
  makeFacts,
  makePolicy,
  makeReference,
  makeSubmission,
} from '../facts-and-submissions.ts';

const decide = (changes: BodyChanges = {}, facts: Partial<Facts> = {}) =>
  judge(makeSubmission(changes), makeFacts(facts));

const policy = makePolicy();

describe('a flag', () => {
  const reference = makeReference('1', { plateNumber: 'NCR1', chassisNumber: 'OTHER1' });

  it('VEHICLE_MISMATCH is raised for NO_MATCH and FOR_REVIEW, for each vehicle', () => {
    const vehicles = [
      makeVehicle({ plateNumber: 'AAA111' }),
      makePlainVehicle(),
      makeVehicle({ plateNumber: 'NCR1', chassisNumber: 'OTHER1', region: 'NCR' }),
    ];
    const other = makeReference('2', { engineNumber: vehicles[2]?.engineNumber ?? '' });
    const { status, flags } = decide({ vehicles }, { referenceVehicles: [reference, other] });
    expect(status).toBe('FLAGGED');
    expect(
      flags.map(({ type, position, plateNumber, details }) => [
        type,
        position,
        plateNumber,
        details,
      ]),
    ).toEqual([
      ['VEHICLE_MISMATCH', 0, 'AAA111', { result: 'NO_MATCH' }],
      ['VEHICLE_MISMATCH', 2, 'NCR1', { result: 'FOR_REVIEW' }],
    ]);
  });

  it('is not raised for a region without reference data, nor for a partial match', () => {
    const partial = makeVehicle({ plateNumber: 'NCR1', chassisNumber: 'OTHER1' });
    expect(decide({ vehicles: [makePlainVehicle()] }).status).toBe('ACCEPTED');
    expect(decide({ vehicles: [partial] }, { referenceVehicles: [reference] })).toMatchObject({
      status: 'ACCEPTED',
      referenceMatches: [{ result: 'PARTIAL_MATCH' }],
    });
  });

  it.each([
    ['flagNoMatch', makeVehicle(), 'NO_MATCH'],
    ['flagForReview', makeVehicle({ plateNumber: 'NCR1', engineNumber: 'ENG2X' }), 'FOR_REVIEW'],
  ] as const)('is switched by %s of the rule set', (name, vehicle, result) => {
    const referenceVehicles = [reference, makeReference('2', { engineNumber: 'ENG2X' })];
    const { ruleSet } = makeFacts();
    const on = decide({ vehicles: [vehicle] }, { referenceVehicles });
    const off = decide(
      { vehicles: [vehicle] },
      { referenceVehicles, ruleSet: { ...ruleSet, [name]: false } },
    );
    expect(on).toMatchObject({ status: 'FLAGGED', referenceMatches: [{ result }] });
    expect(off).toMatchObject({ status: 'ACCEPTED', referenceMatches: [{ result }], flags: [] });
  });

  it('IDENTIFIER_CONFLICT is raised when the identifiers belong to two vehicles, and names the chosen one (D10)', () => {
    const vehicle = makePlainVehicle({ plateNumber: 'P1', chassisNumber: 'C1234' });
    const vehicles = [
      makeCanonical('by plate', { plateNumber: 'P1' }),
      makeCanonical('by chassis', { chassisNumber: 'C1234' }),
    ];
    const { status, flags } = decide({ vehicles: [vehicle] }, { vehicles });
    expect(status).toBe('FLAGGED');
    expect(flags).toMatchObject([
      {
        type: 'IDENTIFIER_CONFLICT',
        plateNumber: 'P1',
        details: {
          matchedVehicleIds: ['by chassis', 'by plate'],
          decidedVehicleId: 'by chassis',
        },
      },
    ]);
  });

  it('of a historical type is never raised', () => {
    const vehicle = makeVehicle({ plateNumber: 'P1', chassisNumber: 'C1234' });
    const vehicles = [
      makeCanonical('a', { plateNumber: 'P1' }),
      makeCanonical('b', { chassisNumber: 'C1234' }),
    ];
    const types = decide({ vehicles: [vehicle] }, { vehicles, policy }).flags.map(
      ({ type }) => type,
    );
    expect(types).toEqual(['VEHICLE_MISMATCH', 'IDENTIFIER_CONFLICT']);
  });
});

describe('a registered policy', () => {
  it('is joined without a warning when its details are the same', () => {
    expect(decide({}, { policy }).findings.map(({ code }) => code)).not.toContain(
      'POLICY_DETAILS_DIFFER',
    );
  });

  it.each<[string, BodyChanges]>([
    ['policy.issuanceDate', { policy: { issuanceDate: '2026-06-01' } }],
    ['policy.premiumAmount', { policy: { premiumAmount: 1 } }],
    ['policy.officialReceiptNumber', { policy: { officialReceiptNumber: 'OR-1' } }],
    ['policy.remarks', { policy: { remarks: 'new' } }],
  ])('keeps its %s and the certificate gets a warning', (field, changes) => {
    const { status, findings } = decide(changes, { policy });
    expect(status).toBe('ACCEPTED');
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'POLICY_DETAILS_DIFFER', severity: 'WARNING', field }),
    );
  });
});
