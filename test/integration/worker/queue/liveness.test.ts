import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlState } from '../../../../shared/db/prisma.ts';
import { ATTEMPTS_MAX, sweep, take } from '../../../../shared/store/intake/processing.ts';
import type { WorkerContext } from '../../../../worker/context.ts';
import {
  processTransmission,
  RETRY_PAUSES_SECONDS,
} from '../../../../worker/process-transmission.ts';
import { registerBatch } from '../../../../worker/register.ts';
import { sweepOnce } from '../../../../worker/sweeper.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { makeHands } from '../../../env/records/hands.ts';
import { emptyQueue, type QueuePlaces, withoutQueue } from '../../../env/servers/queue-faults.ts';
import { type RedisServer, startRedisServer } from '../../../env/servers/redis.ts';
import { currentShape } from '../../../env/shape.ts';

let stack: Stack;
let folder: string;
let redis: RedisServer | undefined;
/** The hands of a worker without one that runs. */
let worker: WorkerContext;
let places: QueuePlaces;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'registry-liveness-'));
  redis = currentShape() === 'redis' ? await startRedisServer(folder) : undefined;
  stack = await startStack({
    workers: 0,
    environment: {
      LEASE_SECONDS: '1',
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
    },
  });
  places = { ...stack.config, db: stack.ownerDb };
  worker = makeHands(stack.api.context);
});
afterEach(() => stack.stopWorkers());
afterAll(async () => {
  await stack.stop();
  await redis?.stop();
  rmSync(folder, { recursive: true });
});

/** Recorded while no worker runs; its wake-up is in the queue, or refused. */
async function record(body = makeBody()) {
  const { status } = await stack.post('alpha', '/ppai/policies', body, 'respond-async');
  expect(status).toBe(202);
  await stack.api.context.roundTrips.untilWoken();
  const { externalTransactionId } = body;
  const { id } = await stack.api.context.db.transmission.findFirstOrThrow({
    where: { externalTransactionId },
  });
  return { id, externalTransactionId, cocNumber: body.certificate.cocNumber ?? '', body };
}

function read(id: string) {
  return stack.api.context.db.transmission.findUniqueOrThrow({ where: { id } });
}

function certificates(cocNumber: string): Promise<number> {
  return stack.api.context.db.certificate.count({ where: { cocNumber } });
}

/** The time has come for the sweeper to look at every row, and for workers to take them. */
function letTimePass(): Promise<number> {
  return stack.api.context.db.$executeRaw`
    UPDATE transmissions SET sweep_at = now(), due_at = now() WHERE completed_at IS NULL`;
}

/** Its body can't be opened: a fault of ours. Hands out what mends it. */
async function spoil(id: string): Promise<() => Promise<unknown>> {
  const { db } = stack.api.context;
  const { bodySealed } = await read(id);
  await db.transmission.update({ where: { id }, data: { bodySealed: new Uint8Array([1, 2, 3]) } });
  return () => db.transmission.update({ where: { id }, data: { bodySealed } });
}

const held = { leaseSeconds: 30, transmissionsMax: 1, vehiclesMax: 500 };

describe('a transmission whose job is lost', () => {
  it('is found by the sweeper and settled', async () => {
    const { externalTransactionId } = await record();
    await emptyQueue(places);
    await letTimePass();
    await stack.addWorker();
    expect((await stack.untilTerminal(externalTransactionId)).status).toBe('ACCEPTED');
  });

  it('is not swept while its own wake-up may still arrive, and once a while after', async () => {
    await record();
    await sweepOnce(worker);
    expect(await sweepOnce(worker)).toBe(0);
    await letTimePass();
    expect(await sweepOnce(worker)).toBe(1);
    expect(await sweepOnce(worker)).toBe(0);
    await stack.addWorker();
  });

  it('is not swept by a worker that goes on while others wait, and by that one as soon as it ends', async () => {
    await record();
    await letTimePass();
    await worker.tally.goOn(async () => {
      expect(await sweepOnce(worker)).toBe(0);
    });
    expect(await sweepOnce(worker)).toBe(1);
    await stack.addWorker();
  });

  it('because the queue is out of reach is recorded all the same, and settled later', async () => {
    const { queueAddFailures } = stack.api.context.metrics;
    const { externalTransactionId } = await withoutQueue(places, () => record());
    expect((await queueAddFailures.get()).values).toMatchObject([{ value: 1 }]);
    await letTimePass();
    await stack.addWorker();
    expect((await stack.untilTerminal(externalTransactionId)).status).toBe('ACCEPTED');
  });
});

describe('a job that is delivered twice', () => {
  it('at the same time settles its transmission once', async () => {
    const { id, cocNumber } = await record();
    await Promise.all(Array.from({ length: 8 }, () => processTransmission(worker, { id })));
    expect(await read(id)).toMatchObject({ status: 'ACCEPTED', fence: 1 });
    expect(await certificates(cocNumber)).toBe(1);
  });

  it('after the end changes nothing', async () => {
    const { id } = await record();
    await processTransmission(worker, { id });
    const before = await read(id);
    await processTransmission(worker, { id });
    expect(await read(id)).toEqual(before);
  });

  it('or names nothing is dropped', async () => {
    await processTransmission(worker, { id: '00000000-0000-4000-8000-000000000000' });
  });
});

describe('a worker that dies with a transmission in its hands', () => {
  it('leaves it to another one when its lease is over', async () => {
    const { id, externalTransactionId } = await record();
    const { taken } = await take(worker.db, id, { ...held, leaseSeconds: 1 });
    expect(taken).toHaveLength(1);
    expect((await take(worker.db, id, held)).taken).toEqual([]);
    await emptyQueue(places);
    await stack.addWorker();
    expect((await stack.untilTerminal(externalTransactionId)).status).toBe('ACCEPTED');
    expect((await read(id)).fence).toBe(2);
  });

  it('leaves it to the next pass of the sweeper, whatever waits', async () => {
    const waiting = [await record(), await record()];
    const inHand = await record();
    await take(worker.db, inHand.id, held);
    await letTimePass();
    const late = waiting.map(({ id }) => id);
    await worker.db
      .$executeRaw`UPDATE transmissions SET sweep_at = now() - interval '1 hour' WHERE id = ANY(${late}::uuid[])`;
    const swept = (await sweep(worker.db, { takenMax: 1, waitingMax: 1 })).map(({ id }) => id);
    expect(swept).toHaveLength(2);
    expect(swept).toContain(inHand.id);
    await stack.addWorker();
    for (const { externalTransactionId } of [...waiting, inHand])
      await stack.untilTerminal(externalTransactionId);
  });

  it('does not keep the next wake-up out of the queue with the job it had', async () => {
    const { id } = await record();
    await take(worker.db, id, held);
    const jobs = await worker.producer.depth();
    await letTimePass();
    await sweepOnce(worker);
    expect(await worker.producer.depth()).toBe(jobs + 1);
    await letTimePass();
    await sweepOnce(worker);
    expect(await worker.producer.depth()).toBe(jobs + 1);
    await letTimePass();
    await processTransmission(worker, { id });
  });

  it('does not hold up for good what it never took, whatever its clock said', async () => {
    const { id } = await record();
    const jobs = await worker.producer.depth();
    await letTimePass();
    await sweepOnce(worker);
    expect(await worker.producer.depth()).toBe(jobs);
    await worker.db
      .$executeRaw`UPDATE transmissions SET recorded_at = now() - interval '30 seconds' WHERE id = ${id}::uuid`;
    await letTimePass();
    await sweepOnce(worker);
    expect(await worker.producer.depth()).toBe(jobs + 1);
    await processTransmission(worker, { id });
  });

  it('changes nothing if it comes back after another one has settled it', async () => {
    const { id, cocNumber } = await record();
    const { taken: late } = await take(worker.db, id, held);
    await letTimePass();
    await processTransmission(worker, { id });
    const settled = await read(id);
    expect(settled.status).toBe('ACCEPTED');
    const onFailure = jest.fn(async () => undefined);
    await registerBatch(worker, late, onFailure);
    expect(onFailure).not.toHaveBeenCalled();
    expect(await read(id)).toEqual(settled);
    expect(await certificates(cocNumber)).toBe(1);
  });

  it('changes nothing if it comes back while another one has it', async () => {
    const { id, cocNumber } = await record();
    const { taken: late } = await take(worker.db, id, held);
    await letTimePass();
    const { taken: next } = await take(worker.db, id, held);
    const onFailure = jest.fn(async () => undefined);
    await registerBatch(worker, late, onFailure);
    expect(onFailure).not.toHaveBeenCalled();
    expect(await read(id)).toMatchObject({ status: 'VALIDATING', fence: 2 });
    expect(await certificates(cocNumber)).toBe(0);
    await registerBatch(worker, next, onFailure);
    expect(await read(id)).toMatchObject({ status: 'ACCEPTED', fence: 2 });
    expect(await certificates(cocNumber)).toBe(1);
  });

  it('again and again is taken to be killed by it: the transmission is parked, in progress', async () => {
    const { id, body } = await record();
    await stack.api.context.db.transmission.update({
      where: { id },
      data: { attempts: ATTEMPTS_MAX, status: 'VALIDATING' },
    });
    await letTimePass();
    expect(await sweepOnce(worker)).toBe(0);
    const parked = await read(id);
    expect(parked).toMatchObject({ status: 'VALIDATING', parkedAt: expect.any(Date) });
    expect((await stack.post('alpha', '/ppai/policies', body)).status).toBe(409);
  });
});

describe('a fault of ours (D2)', () => {
  it('is tried again with growing pauses and at last parked; it never becomes REJECTED', async () => {
    const { id, body, externalTransactionId } = await record();
    const mend = await spoil(id);
    const pauses: number[] = [];
    for (let failures = 1; failures <= RETRY_PAUSES_SECONDS.length; failures += 1) {
      const before = Date.now();
      await processTransmission(worker, { id });
      const row = await read(id);
      expect(row).toMatchObject({ status: 'VALIDATING', failures, parkedAt: null });
      // Begun at some moment of the attempt, however long that took.
      const pause = RETRY_PAUSES_SECONDS[failures - 1] ?? 0;
      const began = row.dueAt.getTime() - pause * 1_000;
      if (began >= before && began <= Date.now()) pauses.push(pause);
      await processTransmission(worker, { id });
      expect((await read(id)).failures).toBe(failures);
      await letTimePass();
    }
    expect(pauses).toEqual([...RETRY_PAUSES_SECONDS]);
    await processTransmission(worker, { id });
    expect(await read(id)).toMatchObject({ status: 'VALIDATING', parkedAt: expect.any(Date) });

    await letTimePass();
    expect(await sweepOnce(worker)).toBe(0);
    await processTransmission(worker, { id });
    const looked = await stack.get('alpha', `/ppai/transmissions/${externalTransactionId}`);
    expect(looked.envelope.data).toMatchObject({ status: 'VALIDATING' });
    const again = await stack.post('alpha', '/ppai/policies', body);
    expect(again.envelope.error?.code).toBe('TRANSMISSION_IN_PROGRESS');

    await mend();
    await stack.api.context.db.transmission.update({ where: { id }, data: { parkedAt: null } });
    await letTimePass();
    await processTransmission(worker, { id });
    expect(await read(id)).toMatchObject({ status: 'ACCEPTED', lastError: null });
  });

  it('in one transmission of a batch does not hold up the others', async () => {
    const recorded = await Promise.all(Array.from({ length: 10 }, () => record()));
    const [spoiled, ...sound] = recorded;
    if (spoiled === undefined) throw new Error('nothing was recorded');
    const mend = await spoil(spoiled.id);
    await stack.addWorker();
    const settled = await Promise.all(
      sound.map((one) => stack.untilTerminal(one.externalTransactionId)),
    );
    expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(['ACCEPTED']));
    expect((await read(spoiled.id)).status).not.toBe('REJECTED');
    await mend();
    await letTimePass();
    const mended = await stack.untilTerminal(spoiled.externalTransactionId);
    expect(mended.status).toBe('ACCEPTED');
  });
});

describe('a terminal transmission', () => {
  it.each([{}, { operator: { name: null } }])('never changes again: %j', async (changes) => {
    const { id } = await record(makeBody(changes));
    await processTransmission(worker, { id });
    const before = await read(id);
    for (const data of [
      { status: 'RECEIVED' },
      { errorCode: 'INTERNAL_ERROR' },
      { fence: 99 },
      { acknowledgment: {} },
    ]) {
      const refused = await stack.api.context.db.transmission
        .update({ where: { id }, data })
        .catch((error: unknown) => error);
      expect(sqlState(refused)).toBe('23001');
    }
    expect(await read(id)).toEqual(before);
  });
});

describe('a worker that is told to stop', () => {
  it('finishes what it has in hand and takes nothing more', async () => {
    const recorded = await Promise.all(Array.from({ length: 60 }, () => record()));
    const ids = recorded.map(({ id }) => id);
    const statuses = async () => {
      const rows = await stack.api.context.db.transmission.findMany({ where: { id: { in: ids } } });
      return rows.map(({ status }) => status);
    };
    await stack.addWorker();
    while ((await statuses()).every((status) => status === 'RECEIVED')) {
      await new Promise((done) => setTimeout(done, 5));
    }
    await stack.stopWorkers();
    expect(await statuses()).not.toContain('VALIDATING');
    await stack.addWorker();
    for (const { externalTransactionId } of recorded) {
      expect((await stack.untilTerminal(externalTransactionId)).status).toBe('ACCEPTED');
    }
    const registered = await Promise.all(recorded.map(({ cocNumber }) => certificates(cocNumber)));
    expect(new Set(registered)).toEqual(new Set([1]));
  });
});
