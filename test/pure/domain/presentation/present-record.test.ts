import { RecordDetail, RecordSummary } from '../../../../shared/contract/machine/record.ts';
import {
  presentRecord,
  type RecordRow,
} from '../../../../shared/domain/presentation/present-record.ts';
import { presentSummary } from '../../../../shared/domain/presentation/present-summary.ts';
import { readSubmission } from '../../../../shared/domain/registration/submission.ts';
import { makeBody } from '../../../env/api/bodies.ts';

const INSURER = {
  id: '00000000-0000-4000-8000-000000000001',
  code: 'INS',
  name: 'Insurer',
  type: 'INSURANCE_COMPANY',
} as const;
const SNAPSHOT = readSubmission(makeBody());
const VERSION = {
  createdAt: '2026-10-01T02:03:04.5+00:00',
  supersededAt: null,
  transmissionReference: 'PPAI-TX-2026-000000001',
  channel: 'API',
  actor: 'client',
  openSnapshot: () => SNAPSHOT,
} as const;

const ROW: RecordRow = {
  id: '00000000-0000-4000-8000-000000000002',
  registryReference: 'PPAI-2026-000000001',
  policyNumber: 'POL',
  cocNumber: 'COC',
  effectiveDate: '2026-10-01',
  expirationDate: '2027-09-30',
  lifecycle: 'CURRENT',
  currentVersion: 2,
  issuingInsurer: INSURER,
  transmittingOrg: INSURER,
  pool: null,
  operator: SNAPSHOT.operator,
  region: 'NCR',
  plateNumbers: [],
  openFlagCount: 0,
  registeredAt: '2026-10-01T10:03:04+08:00',
  policy: {
    issuanceDate: '2026-09-01',
    coverageType: 'PPAI_STANDARD',
    premiumAmount: null,
    officialReceiptNumber: null,
    remarks: null,
    leadInsurer: null,
    managementCompany: null,
  },
  insurerVerificationRef: null,
  operatorId: '00000000-0000-4000-8000-000000000003',
  vehicles: [],
  removedVehicles: [],
  versions: [
    { ...VERSION, version: 2 },
    { ...VERSION, version: 1, supersededAt: '2026-10-02T00:00:00+00:00' },
  ],
  amendments: [],
  cancellation: null,
  flags: [],
  transmissions: [],
};
const READER = { kind: 'ORGANIZATION', path: '/policies/PPAI-2026-000000001' } as const;
const DAY = { today: '2026-10-15', expiringWithinDays: 30 };

function premium(premiumAmount: string | null): string | null {
  return presentRecord({ ...ROW, policy: { ...ROW.policy, premiumAmount } }, DAY, READER).policy
    .premiumAmount;
}

it('a record has the shape of the contract', () => {
  expect(RecordDetail.safeParse(presentRecord(ROW, DAY, READER)).error).toBeUndefined();
  expect(RecordSummary.safeParse(presentSummary(ROW, DAY)).error).toBeUndefined();
});

it('a summary contains only the name and region of the operator', () => {
  const text = JSON.stringify(presentSummary(ROW, DAY));
  expect(text).toContain('Maria Santos');
  for (const value of ['123-456', 'maria.santos', '0142', '***', '12 Rizal']) {
    expect(text).not.toContain(value);
  }
});

it('times are shown in UTC with milliseconds, whatever the database returned', () => {
  const record = presentRecord(ROW, DAY, READER);
  expect(record.registeredAt).toBe('2026-10-01T02:03:04.000Z');
  expect(record.versions[0]).toMatchObject({
    createdAt: '2026-10-01T02:03:04.500Z',
    supersededAt: '2026-10-02T00:00:00.000Z',
  });
});

it('a version that was replaced is SUPERSEDED, the current one has the status of the record', () => {
  const statuses = (row: RecordRow, today: string) =>
    presentRecord(row, { ...DAY, today }, READER).versions.map(
      ({ coverageStatus }) => coverageStatus,
    );
  expect(statuses(ROW, '2026-09-30')).toEqual(['SUPERSEDED', 'UPCOMING']);
  expect(statuses(ROW, '2027-09-30')).toEqual(['SUPERSEDED', 'EXPIRING']);
  expect(statuses({ ...ROW, lifecycle: 'CANCELLED' }, '2026-10-15')).toEqual([
    'SUPERSEDED',
    'CANCELLED',
  ]);
});

it('a premium has at least two decimals, and all registered ones', () => {
  expect(premium(null)).toBeNull();
  expect(premium('0')).toBe('0.00');
  expect(premium('1250.5')).toBe('1250.50');
  expect(premium('1000000000')).toBe('1000000000.00');
  expect(premium('0.125')).toBe('0.125');
});
