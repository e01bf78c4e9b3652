import type { VehicleBody } from '../../shared/contract/transmission.ts';
import { addDays } from '../../shared/domain/calendar.ts';
import { makeBody, makePlainVehicle, today, uniqueNumber } from '../env/bodies.ts';
import { type Stack, startStack } from '../env/stack.ts';
import { untilWaiting } from './until-waiting.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 2, environment: { TRANSMIT_WAIT_SECONDS: '30' } });
});
afterAll(() => stack.stop());

const PAST = { effectiveDate: addDays(today(), -100), expirationDate: addDays(today(), -1) };
const BEFORE = { policy: { issuanceDate: PAST.effectiveDate }, certificate: PAST };

async function registerKnown(): Promise<VehicleBody> {
  const vehicle = makePlainVehicle();
  const { status } = await stack.transmit('alpha', makeBody({ ...BEFORE, vehicles: [vehicle] }));
  expect(status).toBe(201);
  return vehicle;
}

/** While somebody holds the vehicle, so that both have decided before either writes. */
async function bothWhileHeld(
  { plateNumber }: VehicleBody,
  one: () => Promise<{ status: number }>,
  other: () => Promise<{ status: number }>,
): Promise<number[]> {
  const { db } = stack.api.context;
  let answers: Promise<{ status: number }[]> = Promise.resolve([]);
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`
      SELECT FROM vehicles WHERE plate_number = ${plateNumber?.replace(/\W/g, '')} FOR NO KEY UPDATE`;
    const first = one();
    await untilWaiting(db, 1, first);
    const second = other();
    await untilWaiting(db, 2, second);
    answers = Promise.all([first, second]);
  });
  return (await answers).map(({ status }) => status).sort((a, b) => a - b);
}

// Each names a free vehicle of its own and, by another of its names, the same third one. Neither claims what the other
// does, and one of them must still be told that the third one is in force elsewhere (D10).
describe('two that name one vehicle beside their own, by different names of it', () => {
  it('are one registered and one refused', async () => {
    const [shared, first, second] = [
      await registerKnown(),
      await registerKnown(),
      await registerKnown(),
    ];
    const crossed = (own: VehicleBody, name: 'plateNumber' | 'mvFileNumber', client: string) =>
      stack.transmit(
        client,
        makeBody({
          issuingInsurerCode: `INS-${client.toUpperCase()}`,
          vehicles: [{ ...own, [name]: shared[name] }],
        }),
      );
    const statuses = await bothWhileHeld(
      shared,
      () => crossed(first, 'plateNumber', 'alpha'),
      () => crossed(second, 'mvFileNumber', 'bravo'),
    );
    expect(statuses).toEqual([201, 422]);
  });

  it('are one amended and one refused', async () => {
    const [shared, second] = [await registerKnown(), await registerKnown()];
    const own = makePlainVehicle();
    const { acknowledgment } = await stack.transmit('alpha', makeBody({ vehicles: [own] }));
    const match = { chassisNumber: own.chassisNumber };
    const set = { mvFileNumber: shared.mvFileNumber };
    const statuses = await bothWhileHeld(
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
    ]).toContainEqual(statuses);
  });
});
