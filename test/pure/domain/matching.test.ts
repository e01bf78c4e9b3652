import { isIdentifierConflict, matchVehicles } from '../../../shared/domain/rules/matching.ts';
import { makeVehicle } from '../../env/api/bodies.ts';
import { makeCanonical, makeSubmission } from './facts-and-submissions.ts';

const SENT = {
  plateNumber: 'P1',
  mvFileNumber: 'M1234',
  engineNumber: 'E1234',
  chassisNumber: 'C1234',
};
const submitted = (...changes: Parameters<typeof makeVehicle>[0][]) =>
  makeSubmission({ vehicles: changes.map((one) => makeVehicle(one)) }).vehicles;

const bySpecificity = [
  makeCanonical('by chassis', { chassisNumber: 'C1234' }),
  makeCanonical('by engine', { engineNumber: 'E1234' }),
  makeCanonical('by MV file', { mvFileNumber: 'M1234' }),
  makeCanonical('by plate', { plateNumber: 'P1' }),
];

describe('a submitted vehicle (D10)', () => {
  it('becomes a new canonical vehicle when none of its identifiers is known', () => {
    const [match] = matchVehicles(submitted(SENT), [makeCanonical('x', { plateNumber: 'P2' })]);
    expect(match).toMatchObject({ matches: [], canonical: null });
    expect(match && isIdentifierConflict(match)).toBe(false);
  });

  it.each(['plateNumber', 'mvFileNumber', 'engineNumber', 'chassisNumber'] as const)(
    'is the vehicle that owns its %s alone',
    (kind) => {
      const [match] = matchVehicles(submitted(SENT), [makeCanonical('it', { [kind]: SENT[kind] })]);
      expect(match?.canonical?.id).toBe('it');
      expect(match && isIdentifierConflict(match)).toBe(false);
    },
  );

  it('is the vehicle of its most specific identifier: chassis, engine, MV file, plate', () => {
    for (let dropped = 0; dropped < bySpecificity.length; dropped += 1) {
      const canonicals = bySpecificity.slice(dropped).toReversed();
      const [match] = matchVehicles(submitted(SENT), canonicals);
      expect(match?.canonical?.id).toBe(bySpecificity[dropped]?.id);
      expect(match?.matches.map(({ id }) => id)).toEqual(
        bySpecificity.slice(dropped).map(({ id }) => id),
      );
      expect(match && isIdentifierConflict(match)).toBe(canonicals.length > 1);
    }
  });

  it('is found by any identifier that its vehicle ever had', () => {
    const canonical = makeCanonical(
      'it',
      {},
      {
        identifiers: [
          { kind: 'plateNumber', value: 'NEW1', rank: 0 },
          { kind: 'plateNumber', value: 'P1', rank: 0 },
        ],
      },
    );
    expect(matchVehicles(submitted(SENT), [canonical])[0]?.canonical?.id).toBe('it');
  });

  it('is the first owner of an identifier that two vehicles own', () => {
    const second = makeCanonical(
      'second',
      {},
      {
        identifiers: [{ kind: 'plateNumber', value: 'P1', rank: 1 }],
      },
    );
    const first = makeCanonical('first', { plateNumber: 'P1' });
    const [match] = matchVehicles(submitted(SENT), [second, first]);
    expect(match?.canonical?.id).toBe('first');
    expect(match && isIdentifierConflict(match)).toBe(true);
  });

  it('does not match a value of another kind', () => {
    const canonicals = [makeCanonical('x', { engineNumber: 'C1234', chassisNumber: 'E1234' })];
    expect(matchVehicles(submitted(SENT), canonicals)[0]?.matches).toEqual([]);
  });

  it('keeps its canonical vehicle even if another submitted vehicle shares a less specific identifier', () => {
    const canonical = makeCanonical('it', { chassisNumber: 'C1234', plateNumber: 'P2' });
    const matched = matchVehicles(submitted({ plateNumber: 'P2' }, SENT), [canonical]);
    expect(matched.map((match) => match.canonical?.id ?? null)).toEqual([null, 'it']);
    expect(matched.map(isIdentifierConflict)).toEqual([true, false]);
  });

  it('stays its known canonical vehicle while it has one of its identifiers', () => {
    const known = makeCanonical('known', { plateNumber: SENT.plateNumber });
    const other = makeCanonical('other', { chassisNumber: 'C1234' });
    const [match] = matchVehicles(submitted(SENT), [known, other], new Map([[0, 'known']]));
    expect(match?.canonical?.id).toBe('known');
  });

  it('is another vehicle when it has no identifier of the known one', () => {
    const known = makeCanonical('known', { plateNumber: 'OLD1' });
    const other = makeCanonical('other', { chassisNumber: 'C1234' });
    const [match] = matchVehicles(submitted(SENT), [known, other], new Map([[0, 'known']]));
    expect(match?.canonical?.id).toBe('other');
  });
});
