import { COVERAGE_STATUSES } from '../../../shared/contract/enums.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { coverageStatusOn } from '../../../shared/domain/coverage-status.ts';
import { searchRecords } from '../../../shared/store/registry/search-records.ts';
import { uniqueNumber } from '../../env/api/bodies.ts';
import { type RecordWorld, recordBody, startRecordWorld } from '../../env/records/record-world.ts';

let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
});
afterAll(() => world.stop());

const EXPIRING_WITHIN_DAYS = 30;

it('the status filter of a search agrees with coverageStatusOn on every day', async () => {
  const policyNumber = uniqueNumber('DATES');
  await world.register('alpha', recordBody({ policy: { policyNumber } }));
  const first = '2028-01-20';
  // Periods of 1 to 60 days around a leap day, every third one cancelled.
  await world.db.$executeRaw`
    INSERT INTO certificates (id, registry_reference, sequence, policy_id, coc_number, issuing_insurer_id,
      transmitting_organization_id, effective_date, expiration_date, lifecycle, operator_id, operator_sealed,
      operator_region, registered_at)
    SELECT gen_random_uuid(), 'PPAI-2028-' || starts || '-' || lasts, 1000 + 100 * starts + lasts, c.policy_id,
      'COC-' || starts || '-' || lasts, c.issuing_insurer_id, c.transmitting_organization_id,
      ${first}::date + starts, ${first}::date + starts + lasts,
      CASE WHEN (starts + lasts) % 3 = 0 THEN 'CANCELLED' ELSE 'CURRENT' END,
      c.operator_id, c.operator_sealed, c.operator_region, now()
    FROM certificates c JOIN policies p ON p.id = c.policy_id,
      generate_series(0, 40, 13) AS starts, generate_series(1, 60) AS lasts
    WHERE p.policy_number = ${policyNumber}`;
  const certificates = await world.db.$queryRaw<
    {
      registryReference: string;
      lifecycle: 'CURRENT' | 'CANCELLED';
      effectiveDate: string;
      expirationDate: string;
    }[]
  >`
    SELECT registry_reference AS "registryReference", lifecycle, effective_date::text AS "effectiveDate",
      expiration_date::text AS "expirationDate"
    FROM certificates c JOIN policies p ON p.id = c.policy_id
    WHERE p.policy_number = ${policyNumber} ORDER BY c.sequence DESC`;
  expect(certificates).toHaveLength(241);

  const viewer = await world.viewer('INS-ALPHA');
  const criteria = { identifiers: [], policyNumber, cocNumber: null };
  for (let day = -1; day <= 75; day += 1) {
    const today = addDays(first, day);
    for (const status of COVERAGE_STATUSES) {
      const { records, total } = await searchRecords(world.db, world.keyring, {
        criteria,
        status,
        page: 1,
        pageSize: 300,
        viewer,
        now: world.clock.now(),
        today,
      });
      const expected = certificates.filter(
        (one) => coverageStatusOn(today, one, EXPIRING_WITHIN_DAYS) === status,
      );
      expect({ today, status, found: records.map((one) => one.registryReference), total }).toEqual({
        today,
        status,
        found: expected.map((one) => one.registryReference),
        total: expected.length,
      });
    }
  }
});
