import fc from 'fast-check';
import {
  independentGroups,
  smallShareFirst,
} from '../../../shared/domain/registration/grouping.ts';
import { type BodyChanges, makeVehicle } from '../../env/api/bodies.ts';
import { makeSubmission } from './facts-and-submissions.ts';

function groupsOf(...changes: BodyChanges[]): number[][] {
  const items = changes.map((one, index) => ({ index, submission: makeSubmission(one) }));
  return independentGroups(items, ({ submission }) => submission).map((group) =>
    group.map(({ index }) => index),
  );
}

describe('a batch', () => {
  it('stays together when no two touch each other', () => {
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

  it('is split where two have one certificate number of one policy and insurer', () => {
    const same = { policy: { policyNumber: 'P' }, certificate: { cocNumber: 'C' } };
    expect(groupsOf(same, same)).toEqual([[0], [1]]);
    expect(groupsOf(same, { ...same, issuingInsurerCode: 'INS-BRAVO' })).toEqual([[0, 1]]);
    expect(groupsOf(same, { ...same, certificate: { cocNumber: 'D' } })).toEqual([[0, 1]]);
  });

  it('keeps the order of receipt among those that touch each other', () => {
    const vehicle = makeVehicle();
    const shared = { vehicles: [vehicle] };
    const bridge = { vehicles: [vehicle, makeVehicle({ plateNumber: 'BRIDGE1' })] };
    const end = { vehicles: [makeVehicle({ plateNumber: 'BRIDGE1' })] };
    expect(groupsOf(shared, bridge, end, {})).toEqual([[0, 3], [1], [2]]);
  });

  it('stays together where two have one value as different identifiers', () => {
    const engine = makeVehicle({ engineNumber: 'AB1234' });
    const chassis = makeVehicle({ chassisNumber: 'AB1234' });
    expect(groupsOf({ vehicles: [engine] }, { vehicles: [chassis] })).toEqual([[0, 1]]);
  });

  it('is split so that each comes after all that it touches, and no later than it must', () => {
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

  it('of nothing is nothing', () => {
    expect(groupsOf()).toEqual([]);
  });
});

describe('the shares of a batch', () => {
  const turnsOf = (...items: [organizationId: string, work: number][]) =>
    smallShareFirst(items.map(([organizationId, work]) => ({ organizationId, work }))).map((turn) =>
      turn.map(({ organizationId, work }) => `${organizationId}${work}`),
    );

  it('that are small come first, in their order of receipt', () => {
    expect(turnsOf(['pool', 8], ['a', 1], ['pool', 9], ['b', 3], ['a', 2])).toEqual([
      ['a1', 'b3', 'a2'],
      ['pool8', 'pool9'],
    ]);
  });

  it('that are alike stay together', () => {
    expect(turnsOf(['a', 3], ['b', 2], ['a', 1], ['c', 4])).toEqual([['a3', 'b2', 'a1', 'c4']]);
    expect(turnsOf(['a', 500])).toEqual([['a500']]);
  });

  it('count what changes no vehicle as one', () => {
    expect(turnsOf(['a', 0], ['b', 4], ['b', 0])).toEqual([['a0'], ['b4', 'b0']]);
    expect(turnsOf(['a', 0], ['b', 0])).toEqual([['a0', 'b0']]);
  });

  it('of nothing are nothing', () => {
    expect(turnsOf()).toEqual([]);
  });
});
