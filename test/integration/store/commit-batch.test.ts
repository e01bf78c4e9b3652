import { addDays } from '../../../shared/domain/calendar.ts';
import { presentIdentifiers } from '../../../shared/domain/identifiers.ts';
import { acknowledgeInProgress } from '../../../shared/domain/presentation/acknowledge.ts';
import { readSubmission } from '../../../shared/domain/registration/submission.ts';
import { noWrites } from '../../../shared/domain/registration/writes.ts';
import { giveBack, take } from '../../../shared/store/intake/processing.ts';
import { commitBatch } from '../../../shared/store/registry/commit/commit-batch.ts';
import { identifierKey } from '../../../shared/store/registry/commit/identifier-key.ts';
import { readFacts } from '../../../shared/store/registry/facts/read-facts.ts';
import type { WorkerContext } from '../../../worker/context.ts';
import { registerBatch } from '../../../worker/register.ts';
import { makeBody, makePlainVehicle, today } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { makeHands } from '../../env/records/hands.ts';

// A batch commits in one transaction (D2): a batch that the database refuses (D9) leaves nothing behind.

let stack: Stack;
let worker: WorkerContext;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
  worker = makeHands(stack.api.context);
});
afterAll(() => stack.stop());

const HELD = { leaseSeconds: 60, transmissionsMax: 50, vehiclesMax: 500 };
const noFailure = () => Promise.reject(new Error('a transmission failed'));

async function record(vehicles: ReturnType<typeof makePlainVehicle>[], certificate = {}) {
  const body = makeBody({ vehicles, certificate });
  const { status } = await stack.post('alpha', '/ppai/policies', body, 'respond-async');
  expect(status).toBe(202);
  return body;
}

async function takeAll() {
  const { taken } = await take(worker.db, undefined, HELD);
  return taken;
}

/** Every identifier that these certificates claim: when, and whose it is. */
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

async function claimsOn(vehicle: ReturnType<typeof makePlainVehicle>): Promise<number> {
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

it('leaves no claim of a batch that is refused, but those of the certificates in it that are registered', async () => {
  const [covered, beside, other] = [makePlainVehicle(), makePlainVehicle(), makePlainVehicle()];
  await record([covered]);
  await registerBatch(worker, await takeAll(), noFailure);
  const refused = await record([beside, covered]);
  const registered = await record([other]);
  const taken = await takeAll();
  expect(taken).toHaveLength(2);
  await registerBatch(worker, taken, noFailure);
  expect([await statusOf(refused), await statusOf(registered)]).toEqual(['REJECTED', 'ACCEPTED']);
  expect([await claimsOn(covered), await claimsOn(beside), await claimsOn(other)]).toEqual([
    4, 0, 4,
  ]);
  const later = await record([beside]);
  await registerBatch(worker, await takeAll(), noFailure);
  expect(await statusOf(later)).toBe('ACCEPTED');
});

it('claims every identifier for its own certificate and days, whatever else is in the batch', async () => {
  const longer = { expirationDate: addDays(today(), 300) };
  const bodies = [
    await record([makePlainVehicle(), makePlainVehicle()]),
    await record([makePlainVehicle(), makePlainVehicle(), makePlainVehicle()], longer),
    await record([makePlainVehicle()]),
  ];
  const taken = await takeAll();
  expect(taken).toHaveLength(3);
  await registerBatch(worker, taken, noFailure);
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

it('leaves nothing of a batch of which another worker has one, and settles the others', async () => {
  const [lost, kept] = [makePlainVehicle(), makePlainVehicle()];
  const taken = [await record([lost]), await record([kept])];
  const batch = await takeAll();
  const [first] = batch;
  await worker.db.$executeRaw`
    UPDATE transmissions SET fence = fence + 1 WHERE id = ${first?.id}::uuid`;
  await registerBatch(worker, batch, noFailure);
  const statuses = await Promise.all(taken.map(statusOf));
  expect(statuses).toEqual(['VALIDATING', 'ACCEPTED']);
  expect([await claimsOn(lost), await claimsOn(kept)]).toEqual([0, 4]);
});

it('keeps each acknowledgment as the JSON text of it, of several that end at once too', async () => {
  await Promise.all([record([makePlainVehicle()]), record([makePlainVehicle()])]);
  const settlements = (await takeAll()).map((transmission, index) => ({
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
  await commitBatch(worker.db, worker.keyring, { transmissions: settlements, writes: noWrites() });
  const ids = settlements.map(({ id }) => id);
  const kept = await worker.db.$queryRaw<{ text: string }[]>`
    SELECT acknowledgment::text AS text FROM transmissions
    WHERE id = ANY(${ids}::uuid[]) ORDER BY array_position(${ids}::uuid[], id)`;
  expect(kept).toHaveLength(2);
  expect(kept.map(({ text }) => text)).toEqual(
    settlements.map(({ acknowledgment }) => JSON.stringify(acknowledgment)),
  );
});

it('reads the facts without a transaction id, so that a batch commits when it is taken and when it is settled alone', async () => {
  const body = await record([makePlainVehicle()]);
  const [transmission] = await takeAll();
  if (transmission === undefined) throw new Error('nothing was taken');
  const { organizationId, apiClientId } = transmission;
  const submission = readSubmission(body);
  const asked = { submission, organizationId, apiClientId, neededScope: 'ppai:transmit' } as const;
  const written = await worker.db.$transaction(async (tx) => {
    await readFacts(tx, [asked], { now: new Date(), today: today() });
    const [row] = await tx.$queryRaw<{ id: string | null }[]>`
      SELECT pg_current_xact_id_if_assigned()::text AS id`;
    return row?.id;
  });
  expect(written).toBeNull();
  await registerBatch(worker, [transmission], noFailure);
  expect(await statusOf(body)).toBe('ACCEPTED');
});

it('registers under the number that was drawn when it was taken, another one each time (D13)', async () => {
  const body = await record([makePlainVehicle()]);
  const [first] = await takeAll();
  if (first === undefined) throw new Error('nothing was taken');
  await giveBack(worker.db, { ...first, reason: 'a fault of ours', retryInSeconds: 0 });
  const [again] = (await take(worker.db, first.id, HELD)).taken;
  if (again === undefined) throw new Error('it was not taken again');
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
