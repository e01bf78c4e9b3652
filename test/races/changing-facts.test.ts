import type { TransmissionBody } from '../../shared/contract/machine/transmission.ts';
import { addDays } from '../../shared/domain/calendar.ts';
import { identifierKey } from '../../shared/store/registry/commit/identifier-key.ts';
import { makeBody, makePlainVehicle, today, uniqueNumber } from '../env/api/bodies.ts';
import { type Stack, startStack } from '../env/api/stack.ts';
import { untilWaiting } from './until-waiting.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 2, environment: { TRANSMIT_WAIT_SECONDS: '30' } });
});
afterAll(() => stack.stop());

const PAIRS = 25;
const EARLIER = { effectiveDate: addDays(today(), -100), expirationDate: addDays(today(), -1) };

interface Registered {
  readonly reference: string;
  readonly body: TransmissionBody;
}

async function register(): Promise<Registered> {
  const body = makeBody({
    policy: { issuanceDate: EARLIER.effectiveDate },
    certificate: EARLIER,
  });
  const { acknowledgment } = await stack.transmit('alpha', body);
  return { reference: acknowledgment.registryReference ?? '', body };
}

/** A renewal with another plate, which the earlier certificate then reserves, too. */
function renewUnder(plateNumber: string, { body }: Registered) {
  const vehicles = body.vehicles.map((vehicle) => ({ ...vehicle, plateNumber }));
  return stack.transmit('alpha', makeBody({ vehicles }));
}

const newPlate = () => makePlainVehicle().plateNumber ?? '';

/** Another transaction reserves the plate and rolls back. Meanwhile both transmissions have been decided and wait for the plate. */
async function whilePlateIsReserved(
  plate: string,
  first: () => Promise<unknown>,
  then: () => Promise<unknown>,
) {
  const { db } = stack.api.context;
  let results: Promise<unknown[]> = Promise.resolve([]);
  const rollback = new Error('rolled back on purpose');
  await expect(
    db.$transaction(async (tx) => {
      await tx.$executeRaw`
        INSERT INTO vehicle_identifiers (key, rank, vehicle_id, kind, value, covered_by, covers)
        VALUES (${identifierKey({ kind: 'plateNumber', value: plate })}::bigint, 0, gen_random_uuid(), 'plateNumber',
          ${plate}, ARRAY[gen_random_uuid()], ARRAY[daterange(NULL, NULL)])`;
      const one = first();
      await untilWaiting(db, 1, one);
      const other = then();
      await untilWaiting(db, 2, other);
      results = Promise.all([one, other]);
      throw rollback;
    }),
  ).rejects.toThrow(rollback);
  return results;
}

const cancel = ({ reference, body }: Registered) =>
  stack.post('alpha', `/ppai/policies/${reference}/cancellation`, {
    externalTransactionId: uniqueNumber('CAN'),
    policyNumber: body.policy.policyNumber,
    cocNumber: body.certificate.cocNumber,
    cancellationEffectiveDate: today(),
    reasonCode: 'REPLACED',
    reasonText: 'Replaced',
  });

const amend = ({ reference }: Registered, changes: object) =>
  stack.post('alpha', `/ppai/policies/${reference}/amendments`, {
    externalTransactionId: uniqueNumber('AMD'),
    reason: 'Corrected',
    changes,
  });

/** Counts reservations of a cancelled certificate, for other days than its own, or for a removed vehicle. */
async function countStrayReservations(): Promise<number> {
  const [row] = await stack.api.context.db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM coverage_claims cc JOIN certificates c ON c.id = cc.certificate_id
    WHERE c.lifecycle <> 'CURRENT' OR cc.during <> daterange(c.effective_date, c.expiration_date, '[]')
      OR NOT EXISTS (SELECT FROM certificate_vehicles cv JOIN vehicle_identifiers vi ON vi.vehicle_id = cv.vehicle_id
        WHERE cv.certificate_id = c.id AND cv.removed_in_version IS NULL AND vi.key = cc.key)`;
  return row?.n ?? -1;
}

/** Counts identifiers of vehicles that a certificate in force has not reserved. */
async function countMissingReservations(): Promise<number> {
  const [row] = await stack.api.context.db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM certificate_vehicles cv
    JOIN certificates c ON c.id = cv.certificate_id AND c.lifecycle = 'CURRENT'
    JOIN vehicle_identifiers vi ON vi.vehicle_id = cv.vehicle_id
    WHERE cv.removed_in_version IS NULL AND NOT EXISTS (
      SELECT FROM coverage_claims cc WHERE cc.certificate_id = c.id AND cc.key = vi.key)`;
  return row?.n ?? -1;
}

const CHANGES = [
  ['is cancelled', cancel],
  [
    'gets other dates',
    (one: Registered) => amend(one, { certificate: { expirationDate: addDays(today(), -9) } }),
  ],
  [
    'loses the vehicle for another',
    (one: Registered) =>
      amend(one, {
        vehicles: {
          add: [makePlainVehicle()],
          remove: [{ chassisNumber: one.body.vehicles[0]?.chassisNumber }],
        },
      }),
  ],
  [
    'gets another identifier for the vehicle',
    (one: Registered) =>
      amend(one, {
        vehicles: {
          update: [
            {
              match: { chassisNumber: one.body.vehicles[0]?.chassisNumber },
              set: { engineNumber: makePlainVehicle().engineNumber },
            },
          ],
        },
      }),
  ],
] as const;

describe('a renewal with another plate, while its earlier certificate', () => {
  it.each(CHANGES)('%s, leaves exactly the right reservations', async (_what, change) => {
    const one = await register();
    const plate = newPlate();
    const answers = await whilePlateIsReserved(
      plate,
      () => renewUnder(plate, one),
      () => change(one),
    );
    expect(answers).toMatchObject([{ status: 201 }, { status: 200 }]);
    expect([await countStrayReservations(), await countMissingReservations()]).toEqual([0, 0]);
  });

  it('changes in any way, many at once, leaves exactly the right reservations', async () => {
    const registered = await Promise.all(Array.from({ length: PAIRS }, register));
    const answers = await Promise.all(
      registered.flatMap((one, index) => [
        renewUnder(newPlate(), one),
        (CHANGES[index % CHANGES.length] ?? CHANGES[0])[1](one),
      ]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    expect([await countStrayReservations(), await countMissingReservations()]).toEqual([0, 0]);
  });
});

it('a certificate that joins a policy has its details from before or after an amendment, and a warning if they differ', async () => {
  const registered = await Promise.all(Array.from({ length: PAIRS }, register));
  const joined = await Promise.all(
    registered.map(async (one) => {
      const [answer, amended] = await Promise.all([
        stack.transmit('alpha', makeBody({ policy: { ...one.body.policy } })),
        amend(one, { policy: { remarks: 'Paid in full' } }),
      ]);
      return { answer, amended };
    }),
  );
  for (const { answer, amended } of joined) {
    const path = `/ppai/policies/${answer.acknowledgment.registryReference}`;
    const { envelope } = await stack.get('alpha', path);
    const record = envelope.data as {
      policy: object;
      versions: { snapshot: { policy: object } }[];
    };
    const remarks = amended.status === 200 ? 'Paid in full' : null;
    expect(record.policy).toMatchObject({ remarks });
    expect(record.versions[0]?.snapshot.policy).toMatchObject({ remarks });
    const hasWarning = answer.acknowledgment.warnings.some(
      ({ field }) => field === 'policy.remarks',
    );
    expect(hasWarning).toBe(remarks !== null);
  }
});
