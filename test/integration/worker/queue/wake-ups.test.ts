import { VEHICLES_MAX } from '../../../../shared/contract/machine/transmission.ts';
import {
  VEHICLES_TOGETHER_MAX,
  WOKEN_TOGETHER_MAX,
  wakeUpsFor,
} from '../../../../shared/queue/wake-ups.ts';
import type { WorkerContext } from '../../../../worker/context.ts';
import {
  BATCH_VEHICLES_MAX,
  processTransmission,
} from '../../../../worker/process-transmission.ts';
import { makeBody, makePlainVehicle } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { makeHands } from '../../../env/records/hands.ts';

describe('transmissions that are recorded at the same time', () => {
  const received = (count: number, kind: 'CREATE' | 'AMEND', vehicleCount = 1) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${kind}-${index}`,
      requestId: `request-${index}`,
      kind,
      vehicleCount,
    }));

  it('share wake-ups when they are new certificates, up to a number', () => {
    expect(wakeUpsFor([])).toEqual([]);
    expect(wakeUpsFor(received(1, 'CREATE'))).toEqual([{ id: 'CREATE-0', requestId: 'request-0' }]);
    expect(wakeUpsFor(received(WOKEN_TOGETHER_MAX, 'CREATE'))).toHaveLength(1);
    expect(wakeUpsFor(received(WOKEN_TOGETHER_MAX + 1, 'CREATE'))).toHaveLength(2);
  });

  it('share one with fewer others when they are large, so that several workers share the work', () => {
    expect(wakeUpsFor(received(4, 'CREATE', VEHICLES_MAX))).toHaveLength(2);
    expect(VEHICLES_TOGETHER_MAX).toBeLessThan(BATCH_VEHICLES_MAX);
    expect(wakeUpsFor(received(5, 'CREATE', VEHICLES_TOGETHER_MAX))).toHaveLength(5);
    expect(wakeUpsFor(received(4, 'CREATE', VEHICLES_TOGETHER_MAX / 2))).toHaveLength(2);
  });

  it('have one each when they change records', () => {
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

  /** The sweeper does not help within the test. */
  function withoutSweeper(): Promise<number> {
    return stack.api.context.db
      .$executeRaw`UPDATE transmissions SET sweep_at = now() + interval '1 hour'`;
  }

  it('are all settled', async () => {
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

  it('are taken by a worker that is woken too late for what others have taken', async () => {
    const [taken, waiting] = [await record(), await record()];
    const { db } = stack.api.context;
    await db.$executeRaw`
      UPDATE transmissions SET status = 'VALIDATING', due_at = now() + interval '1 hour' WHERE id = ${taken.id}::uuid`;
    await processTransmission(makeHands(stack.api.context), taken);
    const statusOf = async ({ id }: { id: string }) =>
      (await db.transmission.findUniqueOrThrow({ where: { id } })).status;
    expect([await statusOf(taken), await statusOf(waiting)]).toEqual(['VALIDATING', 'ACCEPTED']);
  });

  it('are answered for before it is sent, and the end of the process waits for it', async () => {
    const { producer, roundTrips } = stack.api.context;
    const enqueue = producer.enqueue;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    jest.spyOn(producer, 'enqueue').mockImplementationOnce(async (transmissions) => {
      await held;
      await enqueue(transmissions);
    });
    await record();
    expect(await producer.depth()).toBe(0);
    const closing = roundTrips.untilWoken();
    letGo();
    await closing;
    expect(await producer.depth()).toBe(1);
  });

  it('are left to another worker when the one that was woken stops', async () => {
    const first = await record();
    const others: { id: string }[] = [];
    for (let vehicles = 0; vehicles < BATCH_VEHICLES_MAX; vehicles += VEHICLES_MAX) {
      others.push(await record(VEHICLES_MAX));
    }
    const tooLargeToGoAlong = others.at(-1);
    const woken: string[] = [];
    const stopping: WorkerContext = {
      ...makeHands(stack.api.context),
      producer: {
        ...stack.api.context.producer,
        enqueue: async (transmissions) => void woken.push(...transmissions.map(({ id }) => id)),
      },
      isStopping: () => true,
    };
    await processTransmission(stopping, first);
    expect(woken).toEqual([tooLargeToGoAlong?.id]);
  });
});
