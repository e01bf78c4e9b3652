import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drain } from '../../../../worker/drain.ts';
import { sweepOnce } from '../../../../worker/sweeper.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { makeIdleWorker } from '../../../env/records/idle-worker.ts';
import { makeIntake } from '../../../env/records/intake.ts';
import { emptyQueue, type QueueLocation, withoutQueue } from '../../../env/servers/queue-faults.ts';
import { type RedisServer, startRedisServer } from '../../../env/servers/redis.ts';
import { currentShape } from '../../../env/shape.ts';

let stack: Stack;
let folder: string;
let redis: RedisServer | undefined;
let intake: ReturnType<typeof makeIntake>;
let worker: ReturnType<typeof makeIdleWorker>;
let queue: QueueLocation;

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
  queue = { ...stack.config, db: stack.ownerDb };
  worker = makeIdleWorker(stack.api.context);
  intake = makeIntake(stack);
});
afterEach(() => stack.stopWorkers());
afterAll(async () => {
  await stack.stop();
  await redis?.stop();
  rmSync(folder, { recursive: true });
});

describe('a transmission whose job is lost', () => {
  it('is enqueued by the sweeper and processed', async () => {
    const { externalTransactionId } = await intake.post();
    await emptyQueue(queue);
    await intake.makeAllDue();
    await stack.addWorker();
    expect((await stack.untilTerminal(externalTransactionId)).status).toBe('ACCEPTED');
  });

  it('is not swept while its own job may still arrive, and once per period after that', async () => {
    await intake.post();
    await sweepOnce(worker);
    expect(await sweepOnce(worker)).toBe(0);
    await intake.makeAllDue();
    expect(await sweepOnce(worker)).toBe(1);
    expect(await sweepOnce(worker)).toBe(0);
    await stack.addWorker();
  });

  it('because the queue is unreachable is still recorded, and processed later', async () => {
    const { queueAddFailures } = stack.api.context.metrics;
    const { externalTransactionId } = await withoutQueue(queue, () => intake.post());
    expect((await queueAddFailures.get()).values).toMatchObject([{ value: 1 }]);
    await intake.makeAllDue();
    await stack.addWorker();
    expect((await stack.untilTerminal(externalTransactionId)).status).toBe('ACCEPTED');
  });
});

describe('a job', () => {
  it('that is delivered several times at once processes its transmission once', async () => {
    const { id, cocNumber } = await intake.post();
    await Promise.all(Array.from({ length: 8 }, () => drain(worker, { id })));
    expect(await intake.read(id)).toMatchObject({ status: 'ACCEPTED', fence: 1 });
    expect(await intake.countCertificates(cocNumber)).toBe(1);
  });

  it('that is delivered again afterwards changes nothing', async () => {
    const { id } = await intake.post();
    await drain(worker, { id });
    const before = await intake.read(id);
    await drain(worker, { id });
    expect(await intake.read(id)).toEqual(before);
  });

  it('that names no transmission is dropped', async () => {
    await drain(worker, { id: '00000000-0000-4000-8000-000000000000' });
  });
});

describe('a stopping worker', () => {
  it('finishes the batches in flight and claims nothing more', async () => {
    const posted = await Promise.all(Array.from({ length: 60 }, () => intake.post()));
    const ids = posted.map(({ id }) => id);
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
    for (const { externalTransactionId } of posted) {
      expect((await stack.untilTerminal(externalTransactionId)).status).toBe('ACCEPTED');
    }
    const registered = await Promise.all(
      posted.map(({ cocNumber }) => intake.countCertificates(cocNumber)),
    );
    expect(new Set(registered)).toEqual(new Set([1]));
  });
});
