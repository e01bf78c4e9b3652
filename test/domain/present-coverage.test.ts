import { CoverageResult } from '../../shared/contract/coverage.ts';
import { type CoverageRow, presentCoverage } from '../../shared/domain/present-coverage.ts';

const SPAN = {
  insurerCode: 'INS',
  insurerName: 'Insurer',
  effectiveDate: '2027-03-01',
  expirationDate: '2028-02-29',
  registryReference: null,
} as const;
const ROW: CoverageRow = {
  matched: { kind: 'plateNumber', value: 'AB1234' },
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
};

it('a result has the shape of the contract', () => {
  const result = presentCoverage(ROW, '2028-02-29', 30);
  expect(CoverageResult.safeParse(result).error).toBeUndefined();
  expect(result).toMatchObject({ identifier: 'AB1234', matchedBy: 'plateNumber', covered: true });
});

it('every status is that of the day asked about', () => {
  const on = (asOf: string) => {
    const { coverage, next } = presentCoverage(ROW, asOf, 30);
    return [coverage?.coverageStatus, next?.coverageStatus];
  };
  expect(on('2028-01-29')).toEqual(['ACTIVE', 'UPCOMING']);
  expect(on('2028-01-30')).toEqual(['EXPIRING', 'UPCOMING']);
  expect(on('2028-02-29')).toEqual(['EXPIRING', 'UPCOMING']);
});

it('a vehicle without cover is not covered, also when one begins later', () => {
  expect(presentCoverage({ ...ROW, coverage: null }, '2026-01-01', 30)).toMatchObject({
    covered: false,
    coverage: null,
    next: { coverageStatus: 'UPCOMING' },
  });
});
