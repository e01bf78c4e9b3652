import fc from 'fast-check';
import { independentGroups } from '../../../shared/domain/registration/grouping.ts';
import { type BodyChanges, makeVehicle } from '../../env/api/bodies.ts';
import { makeSubmission } from './facts-and-submissions.ts';

function groupsOf(...changes: BodyChanges[]): number[][] {
  const items = changes.map((one, index) => ({ index, submission: makeSubmission(one) }));
  return independentGroups(items, ({ submission }) => submission).map((group) =>
    group.map(({ index }) => index),
  );
}

describe('a batch', () => {
  it('stays together when no two transmissions depend on each other', () => {
    expect(groupsOf({}, {}, {})).toEqual([[0, 1, 2]]);
  });

  it.each(['plateNumber', 'mvFileNumber', 'engineNumber', 'chassisNumber'] as const)(
    'is split where two share a %s, written in whatever way',
    (kind) => {
      const one = makeVehicle({ [kind]: 'ab-1234' });
      const two = makeVehicle({ [kind]: 'AB1234' });
      expect(groupsOf({ vehicles: [one] }, {}, { vehicles: [two] })).toEqual([[0, 1], [2]]);
    },
  );

  it('is split when two have the same insurer, policy and certificate number', () => {
    const same = { policy: { policyNumber: 'P' }, certificate: { cocNumber: 'C' } };
    expect(groupsOf(same, same)).toEqual([[0], [1]]);
    expect(groupsOf(same, { ...same, issuingInsurerCode: 'INS-BRAVO' })).toEqual([[0, 1]]);
    expect(groupsOf(same, { ...same, certificate: { cocNumber: 'D' } })).toEqual([[0, 1]]);
  });

  it('keeps the order of receipt among dependent transmissions', () => {
    const vehicle = makeVehicle();
    const shared = { vehicles: [vehicle] };
    const bridge = { vehicles: [vehicle, makeVehicle({ plateNumber: 'BRIDGE1' })] };
    const end = { vehicles: [makeVehicle({ plateNumber: 'BRIDGE1' })] };
    expect(groupsOf(shared, bridge, end, {})).toEqual([[0, 3], [1], [2]]);
  });

  it('stays together when two have one value as different identifier kinds', () => {
    const engine = makeVehicle({ engineNumber: 'AB1234' });
    const chassis = makeVehicle({ chassisNumber: 'AB1234' });
    expect(groupsOf({ vehicles: [engine] }, { vehicles: [chassis] })).toEqual([[0, 1]]);
  });

  it('is split so that each comes after all that it depends on, and as early as possible', () => {
    const plates = fc.array(fc.nat(5), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(plates, { maxLength: 8 }), (certificates) => {
        const groups = groupsOf(
          ...certificates.map((numbers) => ({
            vehicles: numbers.map((number) => makeVehicle({ plateNumber: `AB${number}` })),
          })),
        );
        const groupOf = (one: number) => groups.findIndex((group) => group.includes(one));
        for (const [index, numbers] of certificates.entries()) {
          const before = certificates.flatMap((others, other) =>
            other < index && others.some((number) => numbers.includes(number))
              ? groupOf(other)
              : [],
          );
          expect(groupOf(index)).toBe(Math.max(-1, ...before) + 1);
        }
      }),
    );
  });

  it('of no transmissions is empty', () => {
    expect(groupsOf()).toEqual([]);
  });
});
