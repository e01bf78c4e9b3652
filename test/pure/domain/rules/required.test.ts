import { checkRequired } from '../../../../shared/domain/rules/required.ts';
import type { BodyChanges } from '../../../env/api/bodies.ts';
import { makeVehicle } from '../../../env/api/bodies.ts';
import { makeSubmission } from '../facts-and-submissions.ts';

const cases: [string, BodyChanges][] = [
  ['issuingInsurerCode', { issuingInsurerCode: null }],
  ['policy.policyNumber', { policy: { policyNumber: null } }],
  ['policy.issuanceDate', { policy: { issuanceDate: null } }],
  ['policy.coverageType', { policy: { coverageType: null } }],
  ['certificate.cocNumber', { certificate: { cocNumber: null } }],
  ['certificate.effectiveDate', { certificate: { effectiveDate: null } }],
  ['certificate.expirationDate', { certificate: { expirationDate: null } }],
  ['operator.name', { operator: { name: null } }],
  ['operator.operatorType', { operator: { operatorType: null } }],
  ['operator.region', { operator: { region: null } }],
  ['vehicles', { vehicles: [] }],
  ...(
    [
      'plateNumber',
      'mvFileNumber',
      'engineNumber',
      'chassisNumber',
      'vehicleType',
      'denomination',
      'passengerCapacity',
      'region',
    ] as const
  ).map((name): [string, BodyChanges] => [
    `vehicles[1].${name}`,
    { vehicles: [makeVehicle(), makeVehicle({ [name]: null })] },
  ]),
];

describe('level 1', () => {
  it('has no finding for a complete submission', () => {
    expect(checkRequired(makeSubmission())).toEqual([]);
  });

  it.each(cases)('reports %s when it is absent', (field, changes) => {
    expect(checkRequired(makeSubmission(changes))).toEqual([
      { level: 1, severity: 'ERROR', code: 'REQUIRED', field, message: expect.any(String) },
    ]);
  });

  it.each([
    ['white space', ' \t '],
    ['an empty string', ''],
    ['separators alone', '--'],
  ])('treats %s in an identifier as absent', (_what, sent) => {
    const submission = makeSubmission({ vehicles: [makeVehicle({ chassisNumber: sent })] });
    expect(checkRequired(submission).map(({ field }) => field)).toEqual([
      'vehicles[0].chassisNumber',
    ]);
  });

  it('reports every absence, not just the first', () => {
    const submission = makeSubmission({
      issuingInsurerCode: null,
      operator: { name: '', region: null },
      vehicles: [makeVehicle({ plateNumber: null }), makeVehicle({ region: null })],
    });
    expect(checkRequired(submission).map(({ field }) => field)).toEqual([
      'issuingInsurerCode',
      'operator.name',
      'operator.region',
      'vehicles[0].plateNumber',
      'vehicles[1].region',
    ]);
  });

  it('allows every optional field to be absent', () => {
    const submission = makeSubmission({
      policy: { premiumAmount: null, officialReceiptNumber: null, remarks: null },
      operator: { businessName: null, tin: null, address: null, contactEmail: null },
      vehicles: [makeVehicle({ vin: null, make: null, model: null, yearModel: null })],
    });
    expect(checkRequired(submission)).toEqual([]);
  });
});
