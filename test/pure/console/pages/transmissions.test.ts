import { columnsOf, partsOf } from '../../../../console/pages/transmissions/detail/body-parts.ts';
import { groupFindings } from '../../../../console/pages/transmissions/detail/findings.ts';
import { lastDays } from '../../../../console/pages/transmissions/last-days.ts';
import { type FindingCode, makeFinding } from '../../../../shared/contract/findings.ts';

describe('the findings of a transmission', () => {
  const at = (code: FindingCode, field: string | null) => makeFinding(code, field, code);

  it('are grouped by level and vehicle, what is about the whole first', () => {
    const levels = groupFindings([
      at('REFERENCE_NO_MATCH', 'vehicles[0]'),
      at('REQUIRED', 'vehicles[10].plateNumber'),
      at('REQUIRED', 'vehicles[2].plateNumber'),
      at('REQUIRED', 'certificate.cocNumber'),
    ]);
    expect(
      levels.map(({ level, findings }) => [level, findings.map(({ vehicle }) => vehicle)]),
    ).toEqual([
      [1, [null, 'Vehicle 3', 'Vehicle 11']],
      [4, ['Vehicle 1']],
    ]);
  });

  it('of an amendment name the list of the vehicle', () => {
    const [level] = groupFindings([
      at('REQUIRED', 'changes.vehicles.update[1].set.plateNumber'),
      at('REQUIRED', 'changes.vehicles.add[0].plateNumber'),
      at('REQUIRED', 'vehicles'),
      at('REQUIRED', null),
    ]);
    expect(level?.findings.map(({ vehicle }) => vehicle)).toEqual([
      null,
      null,
      'Added vehicle 1',
      'Changed vehicle 2',
    ]);
  });
});

describe('a submitted body', () => {
  it('is shown in parts: own members, nested objects, and lists as rows', () => {
    const parts = partsOf({
      externalTransactionId: 'EXT-1',
      poolCode: null,
      policy: { policyNumber: 'POL-1', premiumAmount: 12.5 },
      vehicles: [{ plateNumber: 'A' }, { plateNumber: 'B', match: { engineNumber: 'E' } }],
    });
    expect(parts).toEqual([
      {
        path: '',
        values: [
          ['externalTransactionId', 'EXT-1'],
          ['poolCode', null],
        ],
        rows: null,
      },
      {
        path: 'policy',
        values: [
          ['policyNumber', 'POL-1'],
          ['premiumAmount', '12.5'],
        ],
        rows: null,
      },
      {
        path: 'vehicles',
        values: [],
        rows: [
          [['plateNumber', 'A']],
          [
            ['plateNumber', 'B'],
            ['match.engineNumber', 'E'],
          ],
        ],
      },
    ]);
    expect(columnsOf(parts[2]?.rows ?? [])).toEqual(['plateNumber', 'match.engineNumber']);
  });

  it('of an amendment names the paths of its nested parts', () => {
    const parts = partsOf({ changes: { operator: { name: 'M' }, vehicles: { add: [{}] } } });
    expect(parts.map(({ path }) => path)).toEqual(['changes.operator', 'changes.vehicles.add']);
  });
});

it('the last days end with today in the zone of the registry', () => {
  // 20:00 of the 9th in UTC is the 10th in Manila.
  const now = Date.parse('2026-11-09T20:00:00Z');
  expect(lastDays(7, now, 'Asia/Manila')).toEqual({
    receivedFrom: '2026-11-04T00:00:00+08:00',
    receivedTo: '2026-11-11T00:00:00+08:00',
  });
});
