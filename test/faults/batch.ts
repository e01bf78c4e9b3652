import { setTimeout as sleep } from 'node:timers/promises';
import { TransportError } from '../../client/outcome.ts';
import type { RegistryClient } from '../../client/registry-client.ts';
import type { Acknowledgment } from '../../shared/contract/acknowledgment.ts';
import type { TransmissionBody } from '../../shared/contract/transmission.ts';
import type { Db } from '../../shared/store/db.ts';
import { makeBody, makePlainVehicle, uniqueNumber } from '../env/bodies.ts';

const SENDERS = 12;
const ACKNOWLEDGED_MS_MAX = 60_000;
/** Below the time for which the queue holds the job of a killed worker for running. */
const SETTLED_MS_MAX = 25_000;
const LOOK_EVERY_MS = 50;

/** Certificates of which each third shares a vehicle with the one before and each tenth lacks a name. */
export function makeBatch(count: number): TransmissionBody[] {
  let last = makePlainVehicle();
  return Array.from({ length: count }, (_, index) => {
    const own = makePlainVehicle();
    const vehicles = index % 3 === 1 ? [last, own] : [own];
    last = own;
    return makeBody({
      externalTransactionId: uniqueNumber('BATCH'),
      vehicles,
      ...(index % 10 === 9 ? { operator: { name: null } } : {}),
    });
  });
}

/** Sends without waiting for outcomes, again while the registry is in trouble. Hands out the references that were acknowledged. */
export async function sendBatch(
  client: RegistryClient,
  bodies: readonly TransmissionBody[],
): Promise<Map<string, string>> {
  const references = new Map<string, string>();
  const left = bodies.values();
  const send = async () => {
    for (const body of left) {
      references.set(body.externalTransactionId, await sendUntilAcknowledged(client, body));
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  return references;
}

async function sendUntilAcknowledged(
  client: RegistryClient,
  body: TransmissionBody,
): Promise<string> {
  const endsAt = Date.now() + ACKNOWLEDGED_MS_MAX;
  for (;;) {
    const outcome = await client.transmit(body, { waitSeconds: 0 }).catch(demandTransportError);
    if (outcome === undefined && Date.now() < endsAt) continue;
    if (outcome === undefined) throw new Error('nobody answers');
    // Repeated after its first answer was lost, it may be in progress (409) or settled (200) already.
    if (outcome.data !== null) return outcome.data.transmissionReference;
    const { status, error } = outcome;
    // Signed before the nonces were lost, it is refused (D19) and must be signed anew.
    const isPassing = status >= 500 || error?.code === 'TIMESTAMP_OUT_OF_RANGE';
    if (!isPassing || Date.now() > endsAt) {
      throw new Error(`${status} ${error?.code}: ${error?.message}`);
    }
    await sleep(LOOK_EVERY_MS * 10);
  }
}

/** Undefined for what found nobody, not even after the client's own repetitions. */
function demandTransportError(error: unknown): undefined {
  if (!(error instanceof TransportError)) throw error;
}

/** How many transmissions of the batch are terminal. */
export async function countTerminal(db: Db, bodies: readonly TransmissionBody[]): Promise<number> {
  return db.transmission.count({
    where: { externalTransactionId: { in: bodies.map(externalIdOf) }, completedAt: { not: null } },
  });
}

/** Resolves when so many transmissions of the batch are terminal. */
export async function untilTerminal(
  db: Db,
  bodies: readonly TransmissionBody[],
  count = bodies.length,
): Promise<void> {
  const endsAt = Date.now() + SETTLED_MS_MAX;
  while ((await countTerminal(db, bodies)) < count) {
    if (Date.now() > endsAt) {
      const left = await db.$queryRaw`
        SELECT status, attempts, failures, fence, last_error, due_at::text, sweep_at::text, now()::text
        FROM transmissions WHERE completed_at IS NULL LIMIT 5`;
      throw new Error(`not settled: ${JSON.stringify(left)}`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** The stored acknowledgments of the batch by external id. */
export async function readAcknowledgments(
  db: Db,
  bodies: readonly TransmissionBody[],
): Promise<Map<string, Acknowledgment>> {
  const rows = await db.transmission.findMany({
    where: { externalTransactionId: { in: bodies.map(externalIdOf) } },
    select: { externalTransactionId: true, acknowledgment: true },
  });
  return new Map(
    rows.map((row) => [row.externalTransactionId, row.acknowledgment as unknown as Acknowledgment]),
  );
}

function externalIdOf({ externalTransactionId }: TransmissionBody): string {
  return externalTransactionId;
}
