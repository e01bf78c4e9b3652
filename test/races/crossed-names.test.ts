import type { VehicleBody } from '../../shared/contract/machine/transmission.ts';
import { addDays } from '../../shared/domain/calendar.ts';
import { makeBody, makePlainVehicle, today, uniqueNumber } from '../env/api/bodies.ts';
import { type Stack, startStack } from '../env/api/stack.ts';
import { untilBehind, untilWaiting } from './until-waiting.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 2, environment: { TRANSMIT_WAIT_SECONDS: '30' } });
});
afterAll(() => stack.stop());

const PAST = { effectiveDate: addDays(today(), -100), expirationDate: addDays(today(), -1) };
const BEFORE = { policy: { issuanceDate: PAST.effectiveDate }, certificate: PAST };

async function registerVehicle(): Promise<VehicleBody> {
  const vehicle = makePlainVehicle();
  const { status } = await stack.transmit('alpha', makeBody({ ...BEFORE, vehicles: [vehicle] }));
  expect(status).toBe(201);
  return vehicle;
}

/** Runs both while a transaction locks the vehicle, so that both are decided before either writes. */
async function runBothWhileLocked<One, Other>(
  { plateNumber }: VehicleBody,
  one: () => Promise<One>,
  other: () => Promise<Other>,
): Promise<[One, Other]> {
  const { db } = stack.api.context;
  let answers: Promise<[One, Other]> | undefined;
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`
      SELECT FROM vehicles WHERE plate_number = ${plateNumber?.replace(/\W/g, '')} FOR NO KEY UPDATE`;
    const first = one();
    await untilWaiting(db, 1, first);
    const second = other();
    await untilWaiting(db, 2, second);
    answers = Promise.all([first, second]);
  });
  if (answers === undefined) throw new Error('no transmission was sent');
  return answers;
}

const statusesOf = (answers: readonly { readonly status: number }[]) =>
  answers.map(({ status }) => status).sort((one, other) => one - other);

// Each contains its own free vehicle and one identifier of the same third vehicle. They reserve no common
// identifier, but one of them must still be refused because the third vehicle is covered (D10).
describe('two transmissions that conflict with one vehicle through different identifiers', () => {
  it('end with one registered and one refused', async () => {
    const [shared, first, second] = [
      await registerVehicle(),
      await registerVehicle(),
      await registerVehicle(),
    ];
    const crossed = (own: VehicleBody, name: 'plateNumber' | 'mvFileNumber', client: string) =>
      stack.transmit(
        client,
        makeBody({
          issuingInsurerCode: `INS-${client.toUpperCase()}`,
          vehicles: [{ ...own, [name]: shared[name] }],
        }),
      );
    const answers = await runBothWhileLocked(
      shared,
      () => crossed(first, 'plateNumber', 'alpha'),
      () => crossed(second, 'mvFileNumber', 'bravo'),
    );
    expect(statusesOf(answers)).toEqual([201, 422]);
  });

  it('end with one amended and one refused', async () => {
    const [shared, second] = [await registerVehicle(), await registerVehicle()];
    const own = makePlainVehicle();
    const { acknowledgment } = await stack.transmit('alpha', makeBody({ vehicles: [own] }));
    const match = { chassisNumber: own.chassisNumber };
    const set = { mvFileNumber: shared.mvFileNumber };
    const answers = await runBothWhileLocked(
      shared,
      () =>
        stack.post('alpha', `/ppai/policies/${acknowledgment.registryReference}/amendments`, {
          externalTransactionId: uniqueNumber('AMD'),
          reason: 'Corrected',
          changes: { vehicles: { update: [{ match, set }] } },
        }),
      () =>
        stack.transmit(
          'bravo',
          makeBody({
            issuingInsurerCode: 'INS-BRAVO',
            vehicles: [{ ...second, plateNumber: shared.plateNumber }],
          }),
        ),
    );
    expect([
      [200, 422],
      [201, 422],
    ]).toContainEqual(statusesOf(answers));
  });

  it('cause a conflict for the one that was decided before the other wrote', async () => {
    const [shared, own] = [await registerVehicle(), await registerVehicle()];
    const { mvFileNumber } = shared;
    const later = { effectiveDate: addDays(today(), 400), expirationDate: addDays(today(), 500) };
    const [, second] = await runBothWhileLocked(
      shared,
      () => stack.transmit('alpha', makeBody({ vehicles: [{ ...own, mvFileNumber }] })),
      () =>
        stack.transmit(
          'bravo',
          makeBody({
            issuingInsurerCode: 'INS-BRAVO',
            certificate: later,
            vehicles: [makePlainVehicle({ mvFileNumber })],
          }),
        ),
    );
    // When the second is registered, the vehicle of the first also owns the number.
    expect(second.acknowledgment.flags).toMatchObject([{ type: 'IDENTIFIER_CONFLICT' }]);
  });
});

it('a transmission that has checked whether a vehicle is covered is registered before a later reservation of its identifier', async () => {
  const [shared, own, third] = [
    await registerVehicle(),
    await registerVehicle(),
    await registerVehicle(),
  ];
  const longAgo = { effectiveDate: addDays(today(), -300), expirationDate: addDays(today(), -201) };
  const { status } = await stack.transmit(
    'alpha',
    makeBody({
      policy: { issuanceDate: longAgo.effectiveDate },
      certificate: longAgo,
      vehicles: [{ ...third, mvFileNumber: shared.mvFileNumber }],
    }),
  );
  expect(status).toBe(201);

  const policyNumber = uniqueNumber('POL');
  const naming = makeBody({
    policy: { policyNumber },
    vehicles: [{ ...own, plateNumber: shared.plateNumber }],
  });
  const ordinary = makeBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: [third] });
  const { answers, isBehind } = await whilePolicyIsInserted(
    policyNumber,
    () => stack.transmit('alpha', naming),
    () => stack.transmit('bravo', ordinary),
  );
  // If the second did not wait, it was registered first, and the other is refused.
  expect(statusesOf(answers)).toEqual(isBehind ? [201, 201] : [201, 422]);
  const { db } = stack.api.context;
  const [left] = await db.$queryRaw<{ claims: number }[]>`
    SELECT count(*)::int AS claims FROM coverage_claims cc
    WHERE NOT EXISTS (SELECT FROM certificate_vehicles cv JOIN vehicle_identifiers vi ON vi.vehicle_id = cv.vehicle_id
      WHERE cv.certificate_id = cc.certificate_id AND vi.key = cc.key)`;
  expect(left).toEqual({ claims: 0 });
});

interface PolicyRace<One, Other> {
  readonly answers: [One, Other];
  /** The other waits for the first, which waits for the policy, so it cannot be registered before the first. */
  readonly isBehind: boolean;
}

/** Another transaction inserts the policy of the first transmission and rolls back. Meanwhile the first has its reservations and waits. */
async function whilePolicyIsInserted<One, Other>(
  policyNumber: string,
  one: () => Promise<One>,
  other: () => Promise<Other>,
): Promise<PolicyRace<One, Other>> {
  const { db } = stack.api.context;
  let answers: Promise<[One, Other]> | undefined;
  let isBehind = false;
  const rollback = new Error('rolled back on purpose');
  await expect(
    db.$transaction(async (tx) => {
      await tx.$executeRaw`
        INSERT INTO policies (id, issuing_insurer_id, policy_number, issuance_date, coverage_type, created_at)
        SELECT gen_random_uuid(), id, ${policyNumber}, now(), 'BASIC', now()
        FROM organizations WHERE code = 'INS-ALPHA'`;
      const first = one();
      await untilWaiting(db, 1, first);
      const second = other();
      isBehind = await untilBehind(db, second);
      answers = Promise.all([first, second]);
      throw rollback;
    }),
  ).rejects.toThrow(rollback);
  if (answers === undefined) throw new Error('no transmission was sent');
  return { answers: await answers, isBehind };
}
