import type { Acknowledgment } from '../../../../shared/contract/machine/acknowledgment.ts';
import type { TransmissionBody } from '../../../../shared/contract/machine/transmission.ts';
import { addDays } from '../../../../shared/domain/calendar.ts';
import { makeBody, makePlainVehicle, today, uniqueNumber } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

async function register(body: TransmissionBody): Promise<string> {
  const { status, acknowledgment } = await stack.transmit('alpha', body);
  expect(status).toBe(201);
  return `/ppai/policies/${acknowledgment.registryReference}`;
}

async function amend(path: string, changes: object) {
  const { status, envelope } = await stack.post('alpha', `${path}/amendments`, {
    externalTransactionId: uniqueNumber('AMD'),
    reason: 'The insurer corrects the record',
    changes,
  });
  const { warnings } = envelope.data as unknown as Acknowledgment;
  return {
    status,
    found: (envelope.error?.details ?? warnings)
      .filter(({ level }) => level === 2)
      .map(({ severity, code, field }) => `${severity} ${code} ${field}`),
  };
}

describe('a record that exceeds newer limits of the rule set (D30)', () => {
  const vehicles = [makePlainVehicle(), makePlainVehicle(), makePlainVehicle()];
  const days = { effectiveDate: today(), expirationDate: addDays(today(), 300) };
  let path = '';
  beforeAll(async () => {
    path = await register(makeBody({ vehicles, certificate: days }));
    await stack.api.context.db.$executeRaw`
      INSERT INTO rule_sets (active_from, coverage_types, max_coverage_days, max_vehicles_per_certificate,
        expiring_within_days, flag_no_match, flag_for_review, created_by)
      VALUES (now() - interval '1 minute', ${['PPAI_PLUS']}, 30, 2, 30, true, true, 'test')`;
  });
  afterAll(() => stack.api.context.db.$executeRaw`DELETE FROM rule_sets WHERE created_by = 'test'`);
  const kept = [
    'WARNING UNSUPPORTED_COVERAGE_TYPE policy.coverageType',
    'WARNING COVERAGE_TOO_LONG certificate.expirationDate',
    'WARNING INVALID_FORMAT vehicles',
  ];

  it('can be amended if no limit is exceeded further', async () => {
    expect(await amend(path, { operator: { name: 'Jose Cruz' } })).toEqual({
      status: 200,
      found: kept,
    });
    const first = vehicles[0]?.plateNumber;
    const swapped = await amend(path, {
      vehicles: { remove: [{ plateNumber: first }], add: [makePlainVehicle()] },
    });
    expect(swapped.status).toBe(200);
    const shorter = { certificate: { expirationDate: addDays(today(), 200) } };
    expect((await amend(path, shorter)).status).toBe(200);
  });

  it('cannot be amended to exceed a limit further', async () => {
    const { status, found } = await amend(path, {
      policy: { coverageType: 'PPAI_OTHER' },
      certificate: { expirationDate: addDays(today(), 301) },
      vehicles: { add: [makePlainVehicle()] },
    });
    expect(status).toBe(422);
    expect(found).toEqual([
      'ERROR UNSUPPORTED_COVERAGE_TYPE changes.policy.coverageType',
      'ERROR COVERAGE_TOO_LONG changes.certificate.expirationDate',
      'ERROR INVALID_FORMAT changes.vehicles.add',
    ]);
  });

  it('can be amended to respect the limits', async () => {
    const within = await amend(path, {
      policy: { coverageType: 'PPAI_PLUS' },
      certificate: { expirationDate: addDays(today(), 30) },
      vehicles: { remove: [{ plateNumber: vehicles[1]?.plateNumber }] },
    });
    expect(within).toEqual({ status: 200, found: [] });
  });
});

describe('a policy that is issued tomorrow (D30)', () => {
  const cancel = (path: string, body: TransmissionBody, cancellationEffectiveDate: string) =>
    stack.post('alpha', `${path}/cancellation`, {
      externalTransactionId: uniqueNumber('CAN'),
      policyNumber: body.policy.policyNumber,
      cocNumber: body.certificate.cocNumber,
      cancellationEffectiveDate,
      reasonCode: 'ISSUED_IN_ERROR',
      reasonText: 'Issued by mistake',
    });

  it('can be cancelled today, and on no other day', async () => {
    const body = makeBody({ policy: { issuanceDate: addDays(today(), 1) } });
    const path = await register(body);
    for (const days of [-1, 1]) {
      const { status, envelope } = await cancel(path, body, addDays(today(), days));
      expect(status).toBe(422);
      expect(envelope.error?.details).toMatchObject([
        {
          code: 'INVALID_DATE_RANGE',
          field: 'cancellationEffectiveDate',
          message: `Must be today, ${today()}.`,
        },
      ]);
    }
    expect((await cancel(path, body, today())).status).toBe(200);
  });
});
