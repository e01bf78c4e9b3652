import { addDays } from '../../../shared/domain/calendar.ts';
import { presentIdentifiers } from '../../../shared/domain/identifiers.ts';
import { acknowledgeInProgress } from '../../../shared/domain/presentation/acknowledge.ts';
import { readSubmission } from '../../../shared/domain/registration/submission.ts';
import { noWrites } from '../../../shared/domain/registration/writes.ts';
import { claim } from '../../../shared/store/intake/claim.ts';
import { releaseForRetry } from '../../../shared/store/intake/release.ts';
import { commitBatch } from '../../../shared/store/registry/commit/commit-batch.ts';
import { identifierKey } from '../../../shared/store/registry/commit/identifier-key.ts';
import { readFacts } from '../../../shared/store/registry/facts/read-facts.ts';
import type { WorkerContext } from '../../../worker/context.ts';
import { registerBatch } from '../../../worker/register.ts';
import { makeBody, makePlainVehicle, today } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { CLAIM_OPTIONS, makeIdleWorker, noFailure } from '../../env/records/idle-worker.ts';

// A batch commits in one transaction (D2): if the database refuses it (D9), nothing of it is written.

let stack: Stack;
let worker: WorkerContext;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
  worker = makeIdleWorker(stack.api.context);
});
afterAll(() => stack.stop());

async function record(vehicles: ReturnType<typeof makePlainVehicle>[], certificate = {}) {
  const body = makeBody({ vehicles, certificate });
  const { status } = await stack.post('alpha', '/ppai/policies', body, 'respond-async');
  expect(status).toBe(202);
  return body;
}

async function claimAll() {
  const { claimed } = await claim(worker.db, undefined, CLAIM_OPTIONS);
  return claimed;
}

/** The identifiers that these certificates reserve, with the days and the owner. */
async function identifiersOf(cocNumbers: readonly string[]): Promise<unknown[]> {
  return worker.db.$queryRaw`
    SELECT c.coc_number AS coc, i.value, owner.plate_number AS owner, lower(cl.during)::text AS since, (upper(cl.during) - 1)::text AS until
    FROM certificates c JOIN coverage_claims cl ON cl.certificate_id = c.id
    JOIN vehicle_identifiers i ON i.key = cl.key
    JOIN vehicles owner ON owner.id = i.vehicle_id
    WHERE c.coc_number = ANY(${cocNumbers}) ORDER BY i.value`;
}

const statusOf = async ({ externalTransactionId }: { externalTransactionId: string }) =>
  (await stack.api.context.db.transmission.findFirstOrThrow({ where: { externalTransactionId } }))
    .status;

async function countReservations(vehicle: ReturnType<typeof makePlainVehicle>): Promise<number> {
  const {
    plateNumber = null,
    mvFileNumber = null,
    engineNumber = null,
    chassisNumber = null,
  } = vehicle;
  const keys = presentIdentifiers({ plateNumber, mvFileNumber, engineNumber, chassisNumber });
  const [row] = await worker.db.$queryRaw<{ claims: number }[]>`
    SELECT count(*)::int AS claims FROM coverage_claims WHERE key = ANY(${keys.map(identifierKey)}::bigint[])`;
  return row?.claims ?? 0;
}

it('a batch with a refused certificate leaves only the reservations of the registered ones', async () => {
  const [covered, uncovered, other] = [makePlainVehicle(), makePlainVehicle(), makePlainVehicle()];
  await record([covered]);
  await registerBatch(worker, await claimAll(), noFailure);
  const refused = await record([uncovered, covered]);
  const registered = await record([other]);
  const claimed = await claimAll();
  expect(claimed).toHaveLength(2);
  await registerBatch(worker, claimed, noFailure);
  expect([await statusOf(refused), await statusOf(registered)]).toEqual(['REJECTED', 'ACCEPTED']);
  expect([
    await countReservations(covered),
    await countReservations(uncovered),
    await countReservations(other),
  ]).toEqual([4, 0, 4]);
  const later = await record([uncovered]);
  await registerBatch(worker, await claimAll(), noFailure);
  expect(await statusOf(later)).toBe('ACCEPTED');
});

it('a batch reserves each identifier for the days of its own certificate', async () => {
  const longer = { expirationDate: addDays(today(), 300) };
  const bodies = [
    await record([makePlainVehicle(), makePlainVehicle()]),
    await record([makePlainVehicle(), makePlainVehicle(), makePlainVehicle()], longer),
    await record([makePlainVehicle()]),
  ];
  const claimed = await claimAll();
  expect(claimed).toHaveLength(3);
  await registerBatch(worker, claimed, noFailure);
  const expected = bodies.flatMap(({ certificate, vehicles }) =>
    vehicles.flatMap(({ plateNumber, mvFileNumber, engineNumber, chassisNumber }) =>
      [plateNumber, mvFileNumber, engineNumber, chassisNumber].map((value) => ({
        coc: certificate.cocNumber,
        value,
        owner: plateNumber,
        since: certificate.effectiveDate,
        until: certificate.expirationDate,
      })),
    ),
  );
  const found = await identifiersOf(bodies.map(({ certificate }) => certificate.cocNumber ?? ''));
  expect(found).toHaveLength(expected.length);
  expect(found).toEqual(expect.arrayContaining(expected));
});

it('a batch writes nothing for a transmission that another worker has claimed, and finishes the others', async () => {
  const [lost, kept] = [makePlainVehicle(), makePlainVehicle()];
  const recorded = [await record([lost]), await record([kept])];
  const batch = await claimAll();
  const [first] = batch;
  await worker.db.$executeRaw`
    UPDATE transmissions SET fence = fence + 1 WHERE id = ${first?.id}::uuid`;
  await registerBatch(worker, batch, noFailure);
  const statuses = await Promise.all(recorded.map(statusOf));
  expect(statuses).toEqual(['VALIDATING', 'ACCEPTED']);
  expect([await countReservations(lost), await countReservations(kept)]).toEqual([0, 4]);
});

it('each acknowledgment of a batch is stored with its exact JSON text', async () => {
  await Promise.all([record([makePlainVehicle()]), record([makePlainVehicle()])]);
  const finished = (await claimAll()).map((transmission, index) => ({
    id: transmission.id,
    fence: transmission.fence,
    status: 'REJECTED' as const,
    acknowledgment: {
      ...acknowledgeInProgress(transmission, 'REJECTED'),
      plateNumber: `${index} "q" \\ \n {}, [] Ñ \u2028 ü`,
    },
    errorCode: 'VALIDATION_FAILED' as const,
    certificateId: null,
    completedAt: new Date(),
  }));
  await commitBatch(worker.db, worker.keyring, {
    transmissions: finished,
    writes: noWrites(),
    changes: [],
  });
  const ids = finished.map(({ id }) => id);
  const kept = await worker.db.$queryRaw<{ text: string }[]>`
    SELECT acknowledgment::text AS text FROM transmissions
    WHERE id = ANY(${ids}::uuid[]) ORDER BY array_position(${ids}::uuid[], id)`;
  expect(kept).toHaveLength(2);
  expect(kept.map(({ text }) => text)).toEqual(
    finished.map(({ acknowledgment }) => JSON.stringify(acknowledgment)),
  );
});

it('reading the facts assigns no transaction id, so that only the claim and the end of a batch write', async () => {
  const body = await record([makePlainVehicle()]);
  const [transmission] = await claimAll();
  if (transmission === undefined) throw new Error('nothing was claimed');
  const { organizationId, apiClientId } = transmission;
  const submission = readSubmission(body);
  const question = {
    submission,
    organizationId,
    apiClientId,
    neededScope: 'ppai:transmit',
  } as const;
  const transactionId = await worker.db.$transaction(async (tx) => {
    await readFacts(tx, [question], { now: new Date(), today: today() });
    const [row] = await tx.$queryRaw<{ id: string | null }[]>`
      SELECT pg_current_xact_id_if_assigned()::text AS id`;
    return row?.id;
  });
  expect(transactionId).toBeNull();
  await registerBatch(worker, [transmission], noFailure);
  expect(await statusOf(body)).toBe('ACCEPTED');
});

it('a record gets the sequence number of its last claim; each claim draws another one (D13)', async () => {
  const body = await record([makePlainVehicle()]);
  const [first] = await claimAll();
  if (first === undefined) throw new Error('nothing was claimed');
  await releaseForRetry(worker.db, {
    ...first,
    reason: 'a fault of the service',
    retryInSeconds: 0,
  });
  const [again] = (await claim(worker.db, first.id, CLAIM_OPTIONS)).claimed;
  if (again === undefined) throw new Error('it was not claimed again');
  expect(again.registrySequence).toBeGreaterThan(first.registrySequence ?? Number.NaN);
  await registerBatch(worker, [again], noFailure);
  const certificate = await stack.api.context.db.certificate.findFirstOrThrow({
    where: { cocNumber: body.certificate.cocNumber ?? '' },
  });
  expect(Number(certificate.sequence)).toBe(again.registrySequence);
  expect(certificate.registryReference).toMatch(
    new RegExp(`^PPAI-\\d{4}-0*${again.registrySequence}$`),
  );
});
