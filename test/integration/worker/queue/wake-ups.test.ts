import { VEHICLES_MAX } from '../../../../shared/contract/machine/transmission.ts';
import {
  VEHICLES_TOGETHER_MAX,
  WOKEN_TOGETHER_MAX,
  wakeUpsFor,
} from '../../../../shared/queue/wake-ups.ts';
import type { WorkerContext } from '../../../../worker/context.ts';
import { BATCH_VEHICLES_MAX, drain } from '../../../../worker/drain.ts';
import { makeBody, makePlainVehicle } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { makeIdleWorker } from '../../../env/records/idle-worker.ts';

describe('transmissions that are recorded at the same time', () => {
  const received = (count: number, kind: 'CREATE' | 'AMEND', vehicleCount = 1) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${kind}-${index}`,
      requestId: `request-${index}`,
      kind,
      vehicleCount,
    }));

  it('share a wake-up if they are new certificates, up to WOKEN_TOGETHER_MAX', () => {
    expect(wakeUpsFor([])).toEqual([]);
    expect(wakeUpsFor(received(1, 'CREATE'))).toEqual([{ id: 'CREATE-0', requestId: 'request-0' }]);
    expect(wakeUpsFor(received(WOKEN_TOGETHER_MAX, 'CREATE'))).toHaveLength(1);
    expect(wakeUpsFor(received(WOKEN_TOGETHER_MAX + 1, 'CREATE'))).toHaveLength(2);
  });

  it('share a wake-up with fewer others if they are large, so that several workers get work', () => {
    expect(wakeUpsFor(received(4, 'CREATE', VEHICLES_MAX))).toHaveLength(2);
    expect(VEHICLES_TOGETHER_MAX).toBeLessThan(BATCH_VEHICLES_MAX);
    expect(wakeUpsFor(received(5, 'CREATE', VEHICLES_TOGETHER_MAX))).toHaveLength(5);
    expect(wakeUpsFor(received(4, 'CREATE', VEHICLES_TOGETHER_MAX / 2))).toHaveLength(2);
  });

  it('have one wake-up each if they change records', () => {
    expect(wakeUpsFor([...received(3, 'AMEND'), ...received(3, 'CREATE')])).toHaveLength(4);
  });
});

describe('new certificates that share a wake-up', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack({ workers: 0 });
  });
  afterEach(() => stack.stop());

  async function record(vehicles = 1): Promise<{ id: string; externalTransactionId: string }> {
    const body = makeBody({ vehicles: Array.from({ length: vehicles }, () => makePlainVehicle()) });
    expect((await stack.post('alpha', '/ppai/policies', body, 'respond-async')).status).toBe(202);
    const { externalTransactionId } = body;
    const { db } = stack.api.context;
    const { id } = await db.transmission.findFirstOrThrow({ where: { externalTransactionId } });
    return { id, externalTransactionId };
  }

  /** Keeps the sweeper from sending jobs during the test. */
  function withoutSweeper(): Promise<number> {
    return stack.api.context.db
      .$executeRaw`UPDATE transmissions SET sweep_at = now() + interval '1 hour'`;
  }

  it('are all processed', async () => {
    const recorded = await Promise.all(Array.from({ length: 40 }, () => record()));
    await withoutSweeper();
    const depth = await stack.api.context.producer.depth();
    expect(depth).toBeGreaterThan(0);
    expect(depth).toBeLessThan(recorded.length);
    await stack.addWorker();
    for (const { externalTransactionId } of recorded) {
      expect((await stack.untilTerminal(externalTransactionId)).status).toBe('ACCEPTED');
    }
  });

  it('are claimed by a job whose own transmission another worker has claimed', async () => {
    const [claimed, waiting] = [await record(), await record()];
    const { db } = stack.api.context;
    await db.$executeRaw`
      UPDATE transmissions SET status = 'VALIDATING', due_at = now() + interval '1 hour' WHERE id = ${claimed.id}::uuid`;
    await drain(makeIdleWorker(stack.api.context), claimed);
    const statusOf = async ({ id }: { id: string }) =>
      (await db.transmission.findUniqueOrThrow({ where: { id } })).status;
    expect([await statusOf(claimed), await statusOf(waiting)]).toEqual(['VALIDATING', 'ACCEPTED']);
  });

  it('are answered before the wake-up is sent, and a shutdown waits for it', async () => {
    const { producer, loaders } = stack.api.context;
    const enqueue = producer.enqueue;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    jest.spyOn(producer, 'enqueue').mockImplementationOnce(async (transmissions) => {
      await held;
      await enqueue(transmissions);
    });
    await record();
    expect(await producer.depth()).toBe(0);
    const closing = loaders.untilWoken();
    release();
    await closing;
    expect(await producer.depth()).toBe(1);
  });

  it('are handed off to another worker if the woken one stops', async () => {
    const first = await record();
    const others: { id: string }[] = [];
    for (let vehicles = 0; vehicles < BATCH_VEHICLES_MAX; vehicles += VEHICLES_MAX) {
      others.push(await record(VEHICLES_MAX));
    }
    const tooLargeForBatch = others.at(-1);
    const woken: string[] = [];
    const stopping: WorkerContext = {
      ...makeIdleWorker(stack.api.context),
      producer: {
        ...stack.api.context.producer,
        enqueue: async (transmissions) => void woken.push(...transmissions.map(({ id }) => id)),
      },
      isStopping: () => true,
    };
    await drain(stopping, first);
    expect(new Set(woken)).toEqual(new Set([tooLargeForBatch?.id]));
  });
});
