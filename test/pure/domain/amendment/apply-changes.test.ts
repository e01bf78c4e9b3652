import type { Changes } from '../../../../shared/contract/machine/amendment.ts';
import { applyChanges } from '../../../../shared/domain/amendment/apply-changes.ts';
import { makeVehicle } from '../../../env/api/bodies.ts';
import { makeSubmission } from '../facts-and-submissions.ts';

const current = makeSubmission({
  policy: { policyNumber: 'POL-1', remarks: 'first' },
  vehicles: [
    makeVehicle({ plateNumber: 'AAA111', make: 'Isuzu' }),
    makeVehicle({ plateNumber: 'BBB222' }),
  ],
});
const places = [
  { ordinal: 0, vehicleId: 'a' },
  { ordinal: 3, vehicleId: 'b' },
];
const apply = (changes: Changes) => applyChanges(current, places, changes);

describe('the changes of an amendment (D14)', () => {
  it('do not change absent members', () => {
    const { submission, removed, findings } = apply({});
    expect(submission).toEqual(current);
    expect(removed).toEqual([]);
    expect(findings).toEqual([]);
  });

  it('set the given members in normalized form, and clear them with null', () => {
    const { submission } = apply({
      policy: { premiumAmount: 10, remarks: null },
      certificate: { expirationDate: '2027-01-01' },
      operator: { name: '  Pedro ', tin: null },
    });
    expect(submission.policy).toEqual({ ...current.policy, premiumAmount: 10, remarks: null });
    expect(submission.certificate).toEqual({
      ...current.certificate,
      expirationDate: '2027-01-01',
    });
    expect(submission.operator).toEqual({ ...current.operator, name: 'Pedro', tin: null });
  });

  it.each<[string, Changes]>([
    ['changes.issuingInsurerCode', { issuingInsurerCode: 'INS-BRAVO' }],
    ['changes.policy.policyNumber', { policy: { policyNumber: 'POL-2' } }],
    ['changes.policy.policyNumber', { policy: { policyNumber: null } }],
    ['changes.certificate.cocNumber', { certificate: { cocNumber: 'COC-X' } }],
  ])('cannot touch %s', (field, changes) => {
    const { submission, findings } = apply(changes);
    expect(findings).toMatchObject([{ code: 'IMMUTABLE_FIELD', field }]);
    expect(submission).toEqual(current);
  });

  it('may repeat an identity field, which is no change', () => {
    const { submission, findings } = apply({
      issuingInsurerCode: ' INS-ALPHA ',
      policy: { policyNumber: 'POL-1' },
    });
    expect(findings).toEqual([]);
    expect(submission).toEqual(current);
  });

  it('add vehicles after the existing ones', () => {
    const { submission, vehicles } = apply({
      vehicles: { add: [makeVehicle({ plateNumber: 'c-1' })] },
    });
    expect(submission.vehicles.map(({ plateNumber }) => plateNumber)).toEqual([
      'AAA111',
      'BBB222',
      'C1',
    ]);
    expect(vehicles.map(({ place }) => place?.vehicleId)).toEqual(['a', 'b', undefined]);
  });

  it('remove a vehicle by one identifier in any spelling', () => {
    const { submission, removed } = apply({ vehicles: { remove: [{ plateNumber: 'aaa-111' }] } });
    expect(submission.vehicles.map(({ plateNumber }) => plateNumber)).toEqual(['BBB222']);
    expect(removed).toEqual([{ ordinal: 0, vehicleId: 'a' }]);
  });

  it('update the given members of a vehicle, and keep the spelling that was sent', () => {
    const { submission, vehicles } = apply({
      vehicles: { update: [{ match: { plateNumber: 'BBB222' }, set: { plateNumber: 'new-1' } }] },
    });
    const old = current.vehicles[1];
    expect(submission.vehicles[1]).toEqual({
      ...old,
      plateNumber: 'NEW1',
      transmitted: { ...old?.transmitted, plateNumber: 'new-1' },
    });
    expect(vehicles[1]?.place).toEqual({ ordinal: 3, vehicleId: 'b' });
  });

  it.each<[string, Changes['vehicles'], string]>([
    ['no vehicle', { remove: [{ plateNumber: 'ZZZ999' }] }, 'changes.vehicles.remove[0]'],
    [
      'two identifiers',
      { remove: [{ plateNumber: 'AAA111', engineNumber: 'E1' }] },
      'changes.vehicles.remove[0]',
    ],
    ['no identifier', { update: [{ match: {}, set: {} }] }, 'changes.vehicles.update[0].match'],
    [
      'a vehicle that is already removed',
      { remove: [{ plateNumber: 'AAA111' }, { plateNumber: 'AAA111' }] },
      'changes.vehicles.remove[1]',
    ],
  ])('report a selector that names %s', (_what, vehicles, field) => {
    expect(apply({ vehicles }).findings).toMatchObject([{ code: 'VEHICLE_NOT_ON_RECORD', field }]);
  });
});
