import { checkReference } from '../../../../shared/domain/rules/reference.ts';
import { makeVehicle } from '../../../env/api/bodies.ts';
import { makeReference, makeSubmission } from '../facts-and-submissions.ts';

const IDENTIFIERS = {
  plateNumber: 'NCR1001',
  mvFileNumber: '130100000001001',
  engineNumber: 'ENG1001NCR',
  chassisNumber: 'CHS1001NCR',
};
const OTHER = {
  plateNumber: 'NCR1002',
  mvFileNumber: '130100000001002',
  engineNumber: 'ENG1002NCR',
  chassisNumber: 'CHS1002NCR',
};
const referenceVehicles = [makeReference('1', IDENTIFIERS), makeReference('2', OTHER)];

function outcome(changes: Parameters<typeof makeVehicle>[0], references = referenceVehicles) {
  const submission = makeSubmission({ vehicles: [makeVehicle({ ...IDENTIFIERS, ...changes })] });
  const [first] = checkReference(submission, {
    referenceRegions: ['NCR', 'I'],
    referenceVehicles: references,
  });
  return `${first?.result} ${first?.finding.code} ${first?.finding.severity}`;
}

describe('level 4 (D21)', () => {
  it('matches when all four identifiers are on one reference vehicle', () => {
    expect(outcome({})).toBe('MATCHED REFERENCE_MATCHED INFO');
  });

  it('compares normalized values', () => {
    expect(outcome({ plateNumber: 'ncr-1001', chassisNumber: 'chs 1001 ncr' })).toBe(
      'MATCHED REFERENCE_MATCHED INFO',
    );
  });

  it.each(['plateNumber', 'mvFileNumber', 'engineNumber', 'chassisNumber'])(
    'matches partially when only the %s is unknown',
    (kind) => {
      expect(outcome({ [kind]: 'ZZZ999' })).toBe('PARTIAL_MATCH REFERENCE_PARTIAL_MATCH WARNING');
    },
  );

  it('matches partially when the reference vehicle lacks an identifier', () => {
    const { engineNumber: _unknown, ...three } = IDENTIFIERS;
    expect(outcome({}, [makeReference('1', three)])).toBe(
      'PARTIAL_MATCH REFERENCE_PARTIAL_MATCH WARNING',
    );
  });

  it.each(['plateNumber', 'mvFileNumber', 'engineNumber', 'chassisNumber'] as const)(
    'is FOR_REVIEW when the %s is on another reference vehicle',
    (kind) => {
      expect(outcome({ [kind]: OTHER[kind] })).toBe('FOR_REVIEW REFERENCE_FOR_REVIEW WARNING');
    },
  );

  it('names the identifiers that differ, and never the values on file', () => {
    const messageOf = (
      changes: Parameters<typeof makeVehicle>[0],
      references = referenceVehicles,
    ) => {
      const vehicles = [makeVehicle({ ...IDENTIFIERS, ...changes })];
      const [first] = checkReference(makeSubmission({ vehicles }), {
        referenceRegions: ['NCR'],
        referenceVehicles: references,
      });
      return first?.finding.message;
    };
    expect(messageOf({ plateNumber: 'ZZZ999', engineNumber: 'ENGX999' })).toBe(
      'Found in the reference data by chassisNumber and mvFileNumber. Different there: engineNumber and plateNumber.',
    );
    const { engineNumber: _unknown, ...three } = IDENTIFIERS;
    expect(messageOf({ plateNumber: 'ZZZ999' }, [makeReference('1', three)])).toBe(
      'Found in the reference data by chassisNumber and mvFileNumber. Different there: plateNumber. Not on file there: engineNumber.',
    );
    expect(messageOf({ engineNumber: 'ENGX999', chassisNumber: 'CHSX999' })).toBe(
      'On file for a vehicle with another engineNumber and chassisNumber: mvFileNumber and plateNumber.',
    );
    expect(messageOf({ plateNumber: OTHER.plateNumber })).toBe(
      'The identifiers belong to 2 vehicles of the reference data: one has the chassisNumber, engineNumber and mvFileNumber, another has the plateNumber.',
    );
  });

  it('is FOR_REVIEW when engine and chassis contradict the reference vehicle', () => {
    expect(outcome({ engineNumber: 'ENGX999', chassisNumber: 'CHSX999' })).toBe(
      'FOR_REVIEW REFERENCE_FOR_REVIEW WARNING',
    );
  });

  it('has no match when no identifier is known', () => {
    const unknown = {
      plateNumber: 'ZZZ999',
      mvFileNumber: '99990001',
      engineNumber: 'ENGX999',
      chassisNumber: 'CHSX999',
    };
    expect(outcome(unknown)).toBe('NO_MATCH REFERENCE_NO_MATCH WARNING');
  });

  it('does not match a value of another kind', () => {
    const swapped = {
      plateNumber: 'ZZZ999',
      mvFileNumber: '99990001',
      engineNumber: 'CHS1001NCR',
      chassisNumber: 'ENG1001NCR',
    };
    expect(outcome(swapped)).toBe('NO_MATCH REFERENCE_NO_MATCH WARNING');
  });

  it.each(['CAR', 'NOWHERE', null])(
    'is only a warning in the region %s without reference data',
    (region) => {
      expect(outcome({ region })).toBe('FOR_REVIEW REFERENCE_DATA_UNAVAILABLE WARNING');
    },
  );

  it('has one outcome per vehicle, in order, with the vehicle as field', () => {
    const vehicles = [makeVehicle({ region: 'CAR' }), makeVehicle(IDENTIFIERS), makeVehicle()];
    const outcomes = checkReference(makeSubmission({ vehicles }), {
      referenceRegions: ['NCR'],
      referenceVehicles,
    });
    expect(
      outcomes.map(({ result, unavailable, finding }) => [result, unavailable, finding.field]),
    ).toEqual([
      ['FOR_REVIEW', true, 'vehicles[0]'],
      ['MATCHED', false, 'vehicles[1]'],
      ['NO_MATCH', false, 'vehicles[2]'],
    ]);
  });
});
