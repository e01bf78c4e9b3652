import { type Comparison, makeComparison } from '../../../../console/pages/flags/comparison.ts';

type Evidence = Parameters<typeof makeComparison>[0];

const IDENTIFIERS = {
  plateNumber: 'ABC123',
  mvFileNumber: '990001',
  engineNumber: 'ENG1',
  chassisNumber: 'CHS1',
};

const FACTS = {
  make: 'Isuzu',
  model: null,
  yearModel: 2020,
  vehicleType: 'UV_EXPRESS',
  denomination: 'UVE',
  region: 'NCR',
};

function evidenceOf(changes: object = {}): Evidence {
  const evidence = {
    record: {
      registryReference: 'REG-1',
      issuingInsurer: { name: 'Alpha Insurance' },
      policyNumber: 'POL-1',
      cocNumber: 'COC-1',
      effectiveDate: '2026-01-01',
      expirationDate: '2026-12-31',
      coverageStatus: 'ACTIVE',
      operatorName: 'Maria Santos',
      region: 'NCR',
    },
    vehicle: { vehicle: { ...IDENTIFIERS, ...FACTS }, transmitted: IDENTIFIERS },
    matchedVehicles: [],
    referenceVehicles: [],
    ...changes,
  };
  return evidence as unknown as Evidence;
}

function cellsOf({ rows }: Comparison, label: string): string[] {
  const row = rows.find((one) => one.label === label);
  return (row?.cells ?? []).map(({ text, verdict }) => `${text} ${verdict ?? ''}`.trim());
}

describe('the comparison of a flag', () => {
  it('says of each other value whether it is that of the flagged record, as identifiers are compared', () => {
    const transmitted = { ...IDENTIFIERS, plateNumber: 'abc-123', engineNumber: 'ENG2' };
    const vehicle = { vehicle: { ...IDENTIFIERS, ...FACTS }, transmitted };
    const comparison = makeComparison(evidenceOf({ vehicle }));
    expect(comparison.columns).toEqual(['As transmitted', 'Flagged record']);
    expect(cellsOf(comparison, 'Plate number')).toEqual(['abc-123 same', 'ABC123']);
    expect(cellsOf(comparison, 'Engine number')).toEqual(['ENG2 differs', 'ENG1']);
  });

  it('has a column for each other vehicle, with its latest cover, and for each reference vehicle', () => {
    const other = (plateNumber: string, covers: object[]) => ({
      ...IDENTIFIERS,
      ...FACTS,
      plateNumber,
      isFlagged: false,
      shared: ['plateNumber'],
      covers,
    });
    const cover = {
      registryReference: 'REG-9',
      issuingInsurer: { name: 'Bravo Insurance' },
      policyNumber: 'POL-1',
      cocNumber: 'COC-9',
      firstDay: '2025-01-01',
      lastDay: '2025-12-31',
      coverageStatus: 'EXPIRED',
      operatorName: 'Maria Santos',
    };
    const comparison = makeComparison(
      evidenceOf({
        matchedVehicles: [
          { ...other('ABC123', []), isFlagged: true },
          other('XYZ9', [cover, { ...cover, registryReference: 'REG-OLD' }]),
          other('ABC123', []),
        ],
        referenceVehicles: [{ ...IDENTIFIERS, engineNumber: null, region: 'NCR' }],
      }),
    );
    expect(comparison.columns).toEqual([
      'As transmitted',
      'Flagged record',
      'Other vehicle 1',
      'Other vehicle 2',
      'Reference data',
    ]);
    expect(cellsOf(comparison, 'Record')).toEqual([
      'null',
      'REG-1',
      'REG-9 differs',
      'null',
      'null',
    ]);
    expect(cellsOf(comparison, 'Policy')).toEqual(['null', 'POL-1', 'POL-1 same', 'null', 'null']);
    expect(cellsOf(comparison, 'Plate number').slice(2, 4)).toEqual(['XYZ9 before', 'ABC123 same']);
    expect(cellsOf(comparison, 'Engine number').at(-1)).toBe('null');
    expect(cellsOf(comparison, 'Type')[1]).toBe('UV express');
  });

  it('leaves out what no column knows', () => {
    expect(cellsOf(makeComparison(evidenceOf()), 'Model')).toEqual([]);
    expect(cellsOf(makeComparison(evidenceOf()), 'Make')).toEqual(['null', 'Isuzu']);
  });

  it('of a flag without a vehicle has only the record', () => {
    const comparison = makeComparison(evidenceOf({ vehicle: null }));
    expect(comparison.rows.map(({ label }) => label)).toEqual([
      'Region',
      'Insurer',
      'Policy',
      'Certificate',
      'Covered from',
      'Covered to',
      'Cover',
      'Operator',
      'Record',
    ]);
  });
});
