import {
  type BatchLimits,
  EXPECTED_MS,
  LARGE_BATCH,
  makeBatchesInHand,
  SMALL_BATCH,
} from '../../worker/batches-in-hand.ts';
import { processTransmission } from '../../worker/process-transmission.ts';
import { makeBody } from '../env/bodies.ts';
import { makeHands } from '../env/hands.ts';
import { type Stack, startStack } from '../env/stack.ts';

/** Begins a batch that ends when it is told to. */
function beginIn(batches: ReturnType<typeof makeBatchesInHand>) {
  const batch = { limits: undefined as BatchLimits | undefined, end: () => {} };
  const handled = batches.handle(
    (limits) =>
      new Promise<void>((resolve) => {
        batch.limits = limits;
        batch.end = resolve;
      }),
  );
  return Object.assign(batch, { handled });
}

const others = () => new Promise((done) => setImmediate(done));

describe('batches in hand', () => {
  it('are large ones, as many as may be at a time', async () => {
    const batches = makeBatchesInHand(2);
    const [first, second, third] = [beginIn(batches), beginIn(batches), beginIn(batches)];
    await others();
    expect([first.limits, second.limits, third.limits]).toEqual([
      LARGE_BATCH,
      LARGE_BATCH,
      undefined,
    ]);
    first.end();
    await first.handled;
    await others();
    expect(third.limits).toEqual(LARGE_BATCH);
    second.end();
    third.end();
  });

  it('are small ones, one at a time, for a while after a small share was seen', async () => {
    let nowMs = 0;
    const batches = makeBatchesInHand(2, () => nowMs);
    const [first, second] = [beginIn(batches), beginIn(batches)];
    await others();
    batches.sawSmallShare();
    const [third, fourth] = [beginIn(batches), beginIn(batches)];
    first.end();
    await first.handled;
    await others();
    expect(third.limits).toBeUndefined();
    second.end();
    await second.handled;
    await others();
    expect([third.limits, fourth.limits]).toEqual([SMALL_BATCH, undefined]);
    nowMs = EXPECTED_MS;
    const fifth = beginIn(batches);
    await others();
    expect([fourth.limits, fifth.limits]).toEqual([LARGE_BATCH, undefined]);
    third.end();
    await third.handled;
    await others();
    expect(fifth.limits).toEqual(LARGE_BATCH);
    fourth.end();
    fifth.end();
  });

  it('goes on after one that fails', async () => {
    const batches = makeBatchesInHand(1);
    await expect(batches.handle(() => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
    await expect(batches.handle(async () => 'handled')).resolves.toBe('handled');
  });
});

describe('a worker', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ workers: 0 });
  });
  afterAll(() => stack.stop());

  async function record(client: string, insurerCode: string, count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) {
      const body = makeBody({ issuingInsurerCode: insurerCode });
      expect((await stack.post(client, '/ppai/policies', body, 'respond-async')).status).toBe(202);
    }
  }

  /** The limits of the batches by which all that wait is settled. */
  async function limitsOfAll(): Promise<BatchLimits[]> {
    const used: BatchLimits[] = [];
    const batches = makeBatchesInHand(1);
    const { db } = stack.api.context;
    const { id } = await db.transmission.findFirstOrThrow({ where: { completedAt: null } });
    const hands = {
      ...makeHands(stack.api.context),
      batches: {
        ...batches,
        handle: <Result>(batch: (limits: BatchLimits) => Promise<Result>) =>
          batches.handle((limits) => {
            used.push(limits);
            return batch(limits);
          }),
      },
    };
    await processTransmission(hands, { id });
    expect(await db.transmission.count({ where: { completedAt: null } })).toBe(0);
    return used;
  }

  it('takes less at once while an insurer with little comes beside one with much', async () => {
    await record('alpha', 'INS-ALPHA', 80);
    await record('bravo', 'INS-BRAVO', 1);
    const [first, second] = await limitsOfAll();
    expect([first, second]).toEqual([LARGE_BATCH, SMALL_BATCH]);
  });

  it('takes much at once when insurers with as much as one another wait', async () => {
    await record('alpha', 'INS-ALPHA', 30);
    await record('bravo', 'INS-BRAVO', 30);
    const used = await limitsOfAll();
    expect(used.length).toBeGreaterThan(1);
    expect(new Set(used)).toEqual(new Set([LARGE_BATCH]));
  });
});
