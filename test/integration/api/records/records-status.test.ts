import { COVERAGE_STATUSES, type CoverageStatus } from '../../../../shared/contract/enums.ts';
import type { CoverageResult } from '../../../../shared/contract/machine/coverage.ts';
import type { RecordDetail, SearchResult } from '../../../../shared/contract/machine/record.ts';
import {
  type RecordWorld,
  type Registered,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';

let world: RecordWorld;
beforeEach(async () => {
  world = await startRecordWorld(new Date('2026-10-15T02:00:00Z'));
});
afterEach(() => world.stop());

/** The instant of a local time in Manila, eight hours ahead of UTC all year. */
const manila = (local: string) => new Date(`${local}+08:00`);

/** Reads the current status from the record, from searches by status and from a coverage check, which must agree. */
async function statusOf({ registryReference, body }: Registered): Promise<CoverageStatus> {
  const read = await world.get('alpha', `/ppai/policies/${registryReference}`);
  const record = read.envelope.data as unknown as RecordDetail;
  expect(record.versions.at(-1)?.coverageStatus).toBe(record.coverageStatus);

  const filters: CoverageStatus[] = [];
  for (const status of COVERAGE_STATUSES) {
    const query = `cocNumber=${body.certificate.cocNumber}&status=${status}`;
    const found = await world.get('alpha', `/ppai/policies/search?${query}`);
    const { items, total } = found.envelope.data as unknown as SearchResult;
    expect(total).toBe(items.length);
    if (items[0] !== undefined) filters.push(items[0].coverageStatus, status);
  }
  expect(filters).toEqual([record.coverageStatus, record.coverageStatus]);

  const checked = await world.get(
    'alpha',
    `/ppai/vehicles/${body.vehicles[0]?.plateNumber}/coverage`,
  );
  const { coverage, next } = checked.envelope.data as unknown as CoverageResult;
  const isPast = ['EXPIRED', 'CANCELLED'].includes(record.coverageStatus);
  expect((coverage ?? next)?.coverageStatus).toBe(isPast ? undefined : record.coverageStatus);
  return record.coverageStatus;
}

async function statusAt(local: string, record: Registered): Promise<CoverageStatus> {
  world.clock.moveTo(manila(local));
  return statusOf(record);
}

it('the coverage status changes exactly at midnight in Manila', async () => {
  const made = await world.register(
    'alpha',
    recordBody({
      certificate: { effectiveDate: '2026-11-01', expirationDate: '2027-01-31' },
    }),
  );
  expect(await statusAt('2026-10-31T23:59:59', made)).toBe('UPCOMING');
  expect(await statusAt('2026-11-01T00:00:00', made)).toBe('ACTIVE');
  expect(await statusAt('2026-12-31T23:59:59', made)).toBe('ACTIVE');
  expect(await statusAt('2027-01-01T00:00:00', made)).toBe('EXPIRING');
  expect(await statusAt('2027-01-31T00:00:00', made)).toBe('EXPIRING');
  expect(await statusAt('2027-01-31T23:59:59', made)).toBe('EXPIRING');
  expect(await statusAt('2027-02-01T00:00:00', made)).toBe('EXPIRED');
});

it('the coverage status is right around a leap day, also if the certificate begins or ends on it', async () => {
  const beginsOnIt = await world.register(
    'alpha',
    recordBody({
      policy: { issuanceDate: '2026-10-15' },
      certificate: { effectiveDate: '2028-02-29', expirationDate: '2028-06-30' },
    }),
  );
  const endsOnIt = await world.register(
    'alpha',
    recordBody({
      certificate: { effectiveDate: '2027-03-01', expirationDate: '2028-02-29' },
    }),
  );
  const endsAfterIt = await world.register(
    'alpha',
    recordBody({
      certificate: { effectiveDate: '2027-03-01', expirationDate: '2028-03-15' },
    }),
  );
  expect(await statusAt('2028-01-29T12:00:00', endsOnIt)).toBe('ACTIVE');
  expect(await statusAt('2028-01-30T12:00:00', endsOnIt)).toBe('EXPIRING');
  expect(await statusAt('2028-02-13T12:00:00', endsAfterIt)).toBe('ACTIVE');
  expect(await statusAt('2028-02-14T12:00:00', endsAfterIt)).toBe('EXPIRING');
  expect(await statusAt('2028-02-28T23:59:59', beginsOnIt)).toBe('UPCOMING');
  expect(await statusAt('2028-02-29T00:00:00', beginsOnIt)).toBe('ACTIVE');
  expect(await statusAt('2028-02-29T23:59:59', endsOnIt)).toBe('EXPIRING');
  expect(await statusAt('2028-03-01T00:00:00', endsOnIt)).toBe('EXPIRED');
});

it('the rule set in force decides how many days before its end a certificate is EXPIRING', async () => {
  const made = await world.register(
    'alpha',
    recordBody({
      certificate: { effectiveDate: '2026-10-01', expirationDate: '2026-12-31' },
    }),
  );
  await world.db.$executeRaw`
    INSERT INTO rule_sets (active_from, coverage_types, max_coverage_days, max_vehicles_per_certificate,
      expiring_within_days, flag_no_match, flag_for_review, created_by)
    SELECT '2026-10-20T00:00:00+08'::timestamptz, coverage_types, max_coverage_days,
      max_vehicles_per_certificate, 72, flag_no_match, flag_for_review, 'test' FROM rule_sets`;
  expect(await statusAt('2026-10-19T23:59:59', made)).toBe('ACTIVE');
  expect(await statusAt('2026-10-20T00:00:00', made)).toBe('EXPIRING');
});

it('the coverage status is CANCELLED from the moment of the cancellation on, whatever the dates', async () => {
  const made = await world.register('alpha', recordBody());
  expect(await statusOf(made)).toBe('ACTIVE');
  await world.cancel('alpha', made, '2026-10-15');
  expect(await statusOf(made)).toBe('CANCELLED');
  expect(await statusAt('2029-01-01T00:00:00', made)).toBe('CANCELLED');
});
