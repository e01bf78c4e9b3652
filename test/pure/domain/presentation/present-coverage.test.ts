import { CoverageResult } from '../../../../shared/contract/machine/coverage.ts';
import {
  type OwnerRow,
  presentCoverage,
  type SpanRow,
} from '../../../../shared/domain/presentation/present-coverage.ts';

const SPAN: SpanRow = {
  insurerCode: 'INS',
  insurerName: 'Insurer',
  effectiveDate: '2027-03-01',
  expirationDate: '2028-02-29',
  registryReference: null,
  standing: 'IN_FORCE',
  sequence: 7,
};
const OWNER: OwnerRow = {
  matched: { kind: 'plateNumber', value: 'AB1234' },
  rank: 0,
  vehicle: {
    plateNumber: 'AB1234',
    mvFileNumber: 'MV1',
    engineNumber: 'EN1',
    chassisNumber: 'CH1',
    make: null,
    model: null,
    yearModel: null,
    vehicleType: 'BUS',
    denomination: 'PUB',
  },
  coverage: SPAN,
  next: { ...SPAN, effectiveDate: '2028-03-01', expirationDate: '2029-02-28' },
  lastSequence: 8,
};

it('a result has the shape of the contract', () => {
  const result = presentCoverage([OWNER], '2028-02-29', 30);
  expect(CoverageResult.safeParse(result).error).toBeUndefined();
  expect(result).toMatchObject({ identifier: 'AB1234', matchedBy: 'plateNumber', covered: true });
});

it('there is no result without an owner', () => {
  expect(presentCoverage([], '2028-02-29', 30)).toBeUndefined();
});

it('every status refers to the requested day', () => {
  const on = (asOf: string) => {
    const { coverage, next } = presentCoverage([OWNER], asOf, 30) ?? {};
    return [coverage?.coverageStatus, next?.coverageStatus];
  };
  expect(on('2028-01-29')).toEqual(['ACTIVE', 'UPCOMING']);
  expect(on('2028-01-30')).toEqual(['EXPIRING', 'UPCOMING']);
  expect(on('2028-02-29')).toEqual(['EXPIRING', 'UPCOMING']);
});

it('a cover that has ended is shown with its status', () => {
  for (const standing of ['CANCELLED', 'SUPERSEDED'] as const) {
    const was = { ...OWNER, coverage: { ...SPAN, standing } };
    expect(presentCoverage([was], '2027-04-01', 30)).toMatchObject({
      covered: true,
      coverage: { coverageStatus: standing },
    });
  }
});

it('a vehicle without cover is not covered, even if a cover begins later', () => {
  expect(presentCoverage([{ ...OWNER, coverage: null }], '2026-01-01', 30)).toMatchObject({
    covered: false,
    coverage: null,
    next: { coverageStatus: 'UPCOMING' },
  });
});

describe('of several owners (D27)', () => {
  interface Traits {
    readonly kind?: OwnerRow['matched']['kind'];
    readonly standing?: SpanRow['standing'] | 'NONE';
    readonly sequence?: number;
    readonly bears?: boolean;
    readonly rank?: number;
  }
  const owner = (make: string, traits: Traits): OwnerRow => {
    const {
      kind = 'plateNumber',
      standing = 'IN_FORCE',
      sequence = 7,
      bears = true,
      rank = 0,
    } = traits;
    const value = OWNER.vehicle[kind];
    return {
      ...OWNER,
      matched: { kind, value },
      rank,
      vehicle: { ...OWNER.vehicle, make, [kind]: bears ? value : 'OTHER1' },
      coverage: standing === 'NONE' ? null : { ...SPAN, standing, sequence },
      lastSequence: sequence,
    };
  };

  it.each<[string, Traits, Traits]>([
    [
      'one in force before one that was in force, with any kind',
      { kind: 'plateNumber', sequence: 1 },
      { kind: 'chassisNumber', standing: 'CANCELLED', sequence: 9 },
    ],
    [
      'one that was in force before one that was never in force',
      { standing: 'SUPERSEDED', sequence: 1 },
      { kind: 'chassisNumber', standing: 'NONE', sequence: 9 },
    ],
    [
      'in force: the more specific kind before the later registration',
      { kind: 'engineNumber', sequence: 1 },
      { kind: 'mvFileNumber', sequence: 9 },
    ],
    [
      'not in force: the more specific kind before the later registration',
      { kind: 'chassisNumber', standing: 'NONE', sequence: 1 },
      { kind: 'engineNumber', standing: 'NONE', sequence: 9 },
    ],
    ['of one kind: the later registration', { sequence: 9, bears: false }, { sequence: 1 }],
    [
      'of one certificate: the vehicle that has the identifier now',
      { rank: 0 },
      { rank: 1, bears: false },
    ],
    [
      'of one certificate, if neither has the identifier now: the last to get it',
      { rank: 1, bears: false },
      { rank: 0, bears: false },
    ],
  ])('%s', (_name, first, second) => {
    const owners = [owner('First', first), owner('Second', second)];
    for (const list of [owners, owners.toReversed()]) {
      expect(presentCoverage(list, '2027-04-01', 30)).toMatchObject({
        matchedBy: first.kind ?? 'plateNumber',
        vehicle: { make: 'First' },
      });
    }
  });
});
