import type { TriedTransmission } from '../../../../shared/contract/staff/rules.ts';
import { totalsOf } from '../../../../shared/domain/rules/trial-totals.ts';

type Difference = TriedTransmission['differences'][number];

function difference(change: Difference['change'], code: string): Difference {
  return { change, kind: 'FINDING', code, count: 3, field: null, message: 'No.' };
}

function changed(organization: string, differences: Difference[]): TriedTransmission {
  const verdict = { status: 'ACCEPTED', errorCode: null, coverageStatus: null } as const;
  return {
    transmissionReference: 'PPAI-TX-2026-000000001',
    externalTransactionId: 'X',
    transmittingOrg: { id: organization, code: organization, name: '', type: 'INSURANCE_COMPANY' },
    receivedAt: '2026-10-15T02:00:00.000Z',
    recordedStatus: 'ACCEPTED',
    present: verdict,
    tried: verdict,
    differences,
  };
}

it('the totals of a trial count transmissions, by code and organization, the most frequent first', () => {
  const { byCode, byOrganization } = totalsOf([
    changed('A', [difference('REMOVED', 'REQUIRED')]),
    changed('B', [difference('ADDED', 'REQUIRED'), difference('ADDED', 'INVALID_FORMAT')]),
    changed('B', [difference('ADDED', 'INVALID_FORMAT')]),
    changed('B', []),
  ]);
  expect(byCode.map(({ change, code, transmissions }) => [change, code, transmissions])).toEqual([
    ['ADDED', 'INVALID_FORMAT', 2],
    ['REMOVED', 'REQUIRED', 1],
    ['ADDED', 'REQUIRED', 1],
  ]);
  expect(
    byOrganization.map(({ organization, transmissions }) => [organization.code, transmissions]),
  ).toEqual([
    ['B', 3],
    ['A', 1],
  ]);
  expect(totalsOf([])).toEqual({ byCode: [], byOrganization: [] });
});
