import type { TransmissionBody } from '../../shared/contract/transmission.ts';
import { countDoubleCovers } from '../env/double-covers.ts';
import {
  countTerminal,
  makeBatch,
  readAcknowledgments,
  sendBatch,
  untilTerminal,
} from './batch.ts';
import { type RegistryProcesses, startRegistryProcesses } from './registry-processes.ts';

const BATCH = 300;
const SMALL_BATCH = 120;

let registry: RegistryProcesses;
beforeAll(async () => {
  registry = await startRegistryProcesses();
  await Promise.all([registry.startApi(), registry.startWorkers(2)]);
});
afterAll(() => registry.stop());

/** Begins to send and comes back in the middle of it. */
async function inTheMiddleOf(bodies: readonly TransmissionBody[]) {
  const sending = sendBatch(registry.client('alpha'), bodies);
  await untilTerminal(registry.db, bodies, bodies.length / 10);
  return { sending };
}

/** Nothing that was acknowledged is lost or doubled, no vehicle is covered twice, a replay is the first answer. */
async function expectWhole(
  bodies: readonly TransmissionBody[],
  references: ReadonlyMap<string, string>,
): Promise<void> {
  const { db } = registry;
  expect(references.size).toBe(bodies.length);
  await untilTerminal(db, bodies);
  const stored = await readAcknowledgments(db, bodies);
  for (const [externalTransactionId, reference] of references) {
    expect(stored.get(externalTransactionId)?.transmissionReference).toBe(reference);
  }
  const registered = [...stored.values()].filter(({ status }) => status === 'ACCEPTED');
  expect(registered.length).toBeGreaterThan(bodies.length / 2);
  const cocNumber = { in: bodies.map(({ certificate }) => certificate.cocNumber ?? '') };
  const certificates = await db.certificate.findMany({ where: { cocNumber } });
  expect(certificates).toHaveLength(registered.length);
  expect(new Set(certificates.map((one) => one.registryReference))).toEqual(
    new Set(registered.map((one) => one.registryReference)),
  );
  expect(await countDoubleCovers(db)).toBe(0);

  const client = registry.client('alpha');
  for (const body of bodies.filter((_, index) => index % 15 === 0)) {
    const first = stored.get(body.externalTransactionId);
    const replay = await client.transmit(body);
    expect([replay.status, replay.data]).toEqual([200, { ...first, replayed: true }]);
    const looked = await client.readTransmission(first?.transmissionReference ?? '');
    expect(looked.data).toEqual(first);
  }
}

describe('nothing acknowledged is lost or doubled when, in the middle of a batch,', () => {
  it('every worker is killed', async () => {
    const bodies = makeBatch(BATCH);
    const { sending } = await inTheMiddleOf(bodies);
    await registry.killWorkers();
    const references = await sending;
    expect(await countTerminal(registry.db, bodies)).toBeLessThan(BATCH);
    await registry.startWorkers(2);
    await expectWhole(bodies, references);
  });

  it('every worker and the API are killed', async () => {
    const bodies = makeBatch(SMALL_BATCH);
    const { sending } = await inTheMiddleOf(bodies);
    await Promise.all([registry.killApi(), registry.killWorkers()]);
    await Promise.all([registry.startApi(), registry.startWorkers(2)]);
    await expectWhole(bodies, await sending);
  });

  it('the queue is emptied', async () => {
    const bodies = makeBatch(SMALL_BATCH);
    const { sending } = await inTheMiddleOf(bodies);
    await registry.loseQueue();
    await expectWhole(bodies, await sending);
  });

  it('every connection of the queue is cut', async () => {
    const bodies = makeBatch(SMALL_BATCH);
    const { sending } = await inTheMiddleOf(bodies);
    await registry.cutConnections();
    await expectWhole(bodies, await sending);
  });
});
