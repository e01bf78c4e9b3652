import type { VehicleBody } from '../../shared/contract/machine/transmission.ts';
import { sqlState, type Tx } from '../../shared/db/prisma.ts';
import { addDays } from '../../shared/domain/calendar.ts';
import { readSubmission } from '../../shared/domain/registration/submission.ts';
import { newId } from '../../shared/platform/new-id.ts';
import { insertCertificates } from '../../shared/store/registry/commit/insert-rows.ts';
import { makeBody, makePlainVehicle, today, uniqueNumber } from '../env/api/bodies.ts';
import { type Stack, startStack } from '../env/api/stack.ts';
import { findDoubleCovers } from '../env/records/double-covers.ts';
import { untilWaiting } from './until-waiting.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 2, environment: { TRANSMIT_WAIT_SECONDS: '30' } });
});
afterAll(() => stack.stop());

const NOW = { effectiveDate: today(), expirationDate: addDays(today(), 300) };
const LATER = { effectiveDate: addDays(today(), 400), expirationDate: addDays(today(), 700) };

/** Registers a vehicle for a period and returns the reference of the record. */
async function register(vehicle: VehicleBody, certificate: typeof NOW): Promise<string> {
  const body = makeBody({ vehicles: [vehicle], certificate });
  const { status, acknowledgment } = await stack.transmit('alpha', body);
  expect(status).toBe(201);
  return acknowledgment.registryReference ?? '';
}

async function amendVehicles(registryReference: string, vehicles: object): Promise<number> {
  const path = `/ppai/policies/${registryReference}/amendments`;
  const externalTransactionId = uniqueNumber('AMD');
  const body = { externalTransactionId, reason: 'Corrected', changes: { vehicles } };
  return (await stack.post('alpha', path, body)).status;
}

/** Starts both while `hold` locks something in the middle of their transactions, until both wait for a lock. */
async function runBothWhileLocked<Result>(
  hold: (tx: Tx) => Promise<unknown>,
  one: () => Promise<Result>,
  other: () => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const { db } = stack.api.context;
  let both: Promise<PromiseSettledResult<Result>[]> | undefined;
  const held = db.$transaction(async (tx) => {
    await hold(tx);
    const first = one();
    both = Promise.allSettled([first]);
    await untilWaiting(db, 1, both);
    both = Promise.allSettled([first, other()]);
    await untilWaiting(db, 2, both);
    throw new Error('rolled back');
  });
  await expect(held).rejects.toThrow('rolled back');
  return both ?? [];
}

const BOTH_AMENDED = [200, 200].map((value) => ({ status: 'fulfilled', value }));

it('amends two records at once that swap their vehicles', async () => {
  const [one, other] = [makePlainVehicle(), makePlainVehicle()];
  const [first, second] = [await register(one, NOW), await register(other, LATER)];
  const swap = (reference: string, removed: VehicleBody, added: VehicleBody) =>
    amendVehicles(reference, { remove: [{ plateNumber: removed.plateNumber }], add: [added] });
  const answers = await runBothWhileLocked(
    // Each has reserved identifiers by then.
    (tx) => tx.$executeRaw`LOCK TABLE certificate_versions IN SHARE MODE`,
    () => swap(first, one, other),
    () => swap(second, other, one),
  );
  expect(answers).toEqual(BOTH_AMENDED);
});

it('amends two records at once that each give their vehicle another identifier', async () => {
  const vehicle = makePlainVehicle();
  const { plateNumber, mvFileNumber } = makePlainVehicle();
  const [first, second] = [await register(vehicle, NOW), await register(vehicle, LATER)];
  const match = { chassisNumber: vehicle.chassisNumber };
  const answers = await runBothWhileLocked(
    // Each has locked its record by then, and reads its facts.
    (tx) => tx.$executeRaw`LOCK TABLE reference_vehicles IN ACCESS EXCLUSIVE MODE`,
    () => amendVehicles(first, { update: [{ match, set: { plateNumber } }] }),
    () => amendVehicles(second, { update: [{ match, set: { mvFileNumber } }] }),
  );
  expect(answers).toEqual(BOTH_AMENDED);
});

it('inserts certificates with the same numbers in opposite order: the second one learns that they exist', async () => {
  const { db, keyring } = stack.api.context;
  await register(makePlainVehicle(), NOW);
  const registered = await db.certificate.findFirstOrThrow({ orderBy: { sequence: 'desc' } });
  const numbers = [1, 2, 3].map(() => uniqueNumber('COC'));
  const insertInto = (tx: Tx, cocNumbers: readonly string[]) =>
    insertCertificates(
      tx,
      keyring,
      cocNumbers.map((cocNumber) => ({
        ...registered,
        ...NOW,
        id: newId(),
        cocNumber,
        registryReference: uniqueNumber('REF'),
        sequence: Number(registered.sequence),
        operator: readSubmission(makeBody()).operator,
      })),
    );
  const insert = (cocNumbers: readonly string[]) => () =>
    db.$transaction((tx) => insertInto(tx, cocNumbers)).catch(sqlState);
  const answers = await runBothWhileLocked(
    // The second of three: each has inserted its first certificate by then.
    (tx) => insertInto(tx, numbers.slice(1, 2)),
    insert(numbers),
    insert(numbers.toReversed()),
  );
  const states = answers.map((answer) => answer.status === 'fulfilled' && answer.value);
  expect(states).toHaveLength(2);
  expect(states).toEqual(expect.arrayContaining([undefined, '23505']));
});

it('leaves no two covers, no failure and no deadlock behind', async () => {
  const { db } = stack.api.context;
  expect(await findDoubleCovers(db)).toEqual([]);
  const [counts] = await db.$queryRaw<object[]>`
    SELECT sum(failures)::int AS failures FROM transmissions`;
  expect({ ...counts, deadlocks: await stack.countDeadlocks() }).toEqual({
    deadlocks: 0,
    failures: 0,
  });
});
