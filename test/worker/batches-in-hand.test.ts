import {
  type Batch,
  type BatchesInHand,
  type BatchLimits,
  EXPECTED_MS,
  GAP_MS,
  LARGE_BATCH,
  makeBatchesInHand,
  SMALL_BATCH,
  type Time,
} from '../../worker/batches-in-hand.ts';
import { processTransmission } from '../../worker/process-transmission.ts';
import { makeBody } from '../env/bodies.ts';
import { makeHands } from '../env/hands.ts';
import { type Stack, startStack } from '../env/stack.ts';

const FULL: Batch = { transmissions: LARGE_BATCH.transmissionsMax, hasSmallShare: false };
const PART: Batch = { transmissions: 2, hasSmallShare: false };
const SINGLE: Batch = { transmissions: 1, hasSmallShare: false };

/** Asks for a batch, which takes and ends when it is told to. */
function ask(batches: BatchesInHand) {
  const asked = { limits: undefined as BatchLimits | undefined, end: async (_took?: Batch) => {} };
  const handled = batches.handle(
    (limits, took) =>
      new Promise<void>((resolve) => {
        asked.limits = limits;
        asked.end = async (batch) => {
          if (batch !== undefined) took(batch);
          resolve();
          await handled;
        };
      }),
  );
  return asked;
}

const others = () => new Promise((done) => setImmediate(done));

describe('batches in hand', () => {
  let nowMs = 0;
  let passing: { milliseconds: number; end: () => void } | undefined;
  const time: Time = {
    now: () => nowMs,
    pass: (milliseconds) =>
      new Promise<void>((end) => {
        passing = { milliseconds, end };
      }),
  };

  it('are large ones, as many as may be at a time', async () => {
    const batches = makeBatchesInHand(2, time);
    const [first, second, third] = [ask(batches), ask(batches), ask(batches)];
    await others();
    expect([first.limits, second.limits, third.limits]).toEqual([
      LARGE_BATCH,
      LARGE_BATCH,
      undefined,
    ]);
    await first.end(FULL);
    await others();
    expect(third.limits).toEqual(LARGE_BATCH);
    await Promise.all([second.end(), third.end()]);
  });

  it('are small ones, one at a time, for a while after a small share was seen', async () => {
    const batches = makeBatchesInHand(2, time);
    const [first, second] = [ask(batches), ask(batches)];
    await others();
    await first.end({ ...FULL, hasSmallShare: true });
    const [third, fourth] = [ask(batches), ask(batches)];
    await others();
    expect([third.limits, fourth.limits]).toEqual([undefined, undefined]);
    await second.end(FULL);
    await others();
    expect([third.limits, fourth.limits]).toEqual([SMALL_BATCH, undefined]);
    nowMs += EXPECTED_MS;
    const fifth = ask(batches);
    await others();
    expect([fourth.limits, fifth.limits]).toEqual([LARGE_BATCH, undefined]);
    await third.end(FULL);
    await others();
    expect(fifth.limits).toEqual(LARGE_BATCH);
    await Promise.all([fourth.end(), fifth.end()]);
  });

  it('begin at once after one that was full, one of a single transmission, and one that was empty', async () => {
    const batches = makeBatchesInHand(1, time);
    for (const took of [FULL, SINGLE, undefined]) {
      const batch = ask(batches);
      await others();
      expect(batch.limits).toEqual(LARGE_BATCH);
      await batch.end(took);
    }
    const next = ask(batches);
    await others();
    expect(next.limits).toEqual(LARGE_BATCH);
    await next.end();
  });

  it('begin apart from one another after one of several that was not full', async () => {
    const batches = makeBatchesInHand(1, time);
    const first = ask(batches);
    await others();
    await first.end(PART);
    nowMs += 1;
    const second = ask(batches);
    await others();
    expect([second.limits, passing?.milliseconds]).toEqual([undefined, GAP_MS - 1]);
    nowMs += GAP_MS - 1;
    passing?.end();
    await others();
    expect(second.limits).toEqual(LARGE_BATCH);
    await second.end(PART);
    nowMs += GAP_MS;
    const third = ask(batches);
    await others();
    expect(third.limits).toEqual(LARGE_BATCH);
    await third.end();
  });

  it('go on after one that fails', async () => {
    const batches = makeBatchesInHand(1);
    const failing = batches.handle(() => Promise.reject(new Error('failed')));
    await expect(failing).rejects.toThrow('failed');
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
    const watched: BatchesInHand = {
      handle: (batch) =>
        batches.handle((limits, took) => {
          used.push(limits);
          return batch(limits, took);
        }),
    };
    await processTransmission({ ...makeHands(stack.api.context), batches: watched }, { id });
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
