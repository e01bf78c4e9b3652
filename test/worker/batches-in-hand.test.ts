import {
  type Batch,
  type BatchesInHand,
  EXPECTED_MS,
  GAP_MS,
  makeBatchesInHand,
  type Time,
} from '../../worker/batches-in-hand.ts';
import { BATCH_TRANSMISSIONS_MAX, processTransmission } from '../../worker/process-transmission.ts';
import { makeBody } from '../env/bodies.ts';
import { makeHands } from '../env/hands.ts';
import { type Stack, startStack } from '../env/stack.ts';

const FULL: Batch = { isPart: false, hasSmallShare: false };
const PART: Batch = { isPart: true, hasSmallShare: false };

/** Asks for a batch, which takes something or nothing and ends when it is told to. */
function ask(batches: BatchesInHand) {
  const asked = { hasBegun: false, end: async (_took?: Batch) => {} };
  const handled = batches.handle(
    (took) =>
      new Promise<void>((resolve) => {
        asked.hasBegun = true;
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

  it('are as many as may be at a time', async () => {
    const batches = makeBatchesInHand(2, time);
    const asked = [ask(batches), ask(batches), ask(batches)] as const;
    await others();
    expect(asked.map(({ hasBegun }) => hasBegun)).toEqual([true, true, false]);
    await asked[0].end(FULL);
    await others();
    expect(asked[2].hasBegun).toBe(true);
    await Promise.all([asked[1].end(), asked[2].end()]);
  });

  it('are one at a time for a while after a small share was seen', async () => {
    const batches = makeBatchesInHand(2, time);
    const [first, second] = [ask(batches), ask(batches)];
    await others();
    await first.end({ ...FULL, hasSmallShare: true });
    const [third, fourth] = [ask(batches), ask(batches)];
    await others();
    expect([third.hasBegun, fourth.hasBegun]).toEqual([false, false]);
    await second.end(FULL);
    await others();
    expect([third.hasBegun, fourth.hasBegun]).toEqual([true, false]);
    nowMs += EXPECTED_MS;
    const fifth = ask(batches);
    await others();
    expect([fourth.hasBegun, fifth.hasBegun]).toEqual([true, false]);
    await Promise.all([third.end(FULL), fourth.end(FULL)]);
    await others();
    expect(fifth.hasBegun).toBe(true);
    await fifth.end();
  });

  it('begin at once after one that was full or single, and after one that was empty', async () => {
    const batches = makeBatchesInHand(1, time);
    for (const took of [FULL, undefined, FULL]) {
      const batch = ask(batches);
      await others();
      expect(batch.hasBegun).toBe(true);
      await batch.end(took);
    }
  });

  it('begin apart from one another after one of several that were all', async () => {
    const batches = makeBatchesInHand(1, time);
    const first = ask(batches);
    await others();
    await first.end(PART);
    nowMs += 1;
    const second = ask(batches);
    await others();
    expect([second.hasBegun, passing?.milliseconds]).toEqual([false, GAP_MS - 1]);
    nowMs += GAP_MS - 1;
    passing?.end();
    await others();
    expect(second.hasBegun).toBe(true);
    await second.end(PART);
    nowMs += GAP_MS;
    const third = ask(batches);
    await others();
    expect(third.hasBegun).toBe(true);
    await third.end();
  });

  it('go on after one that fails', async () => {
    const batches = makeBatchesInHand(1);
    const failing = batches.handle(() => Promise.reject(new Error('failed')));
    await expect(failing).rejects.toThrow('failed');
    await expect(batches.handle(async () => 'handled')).resolves.toBe('handled');
  });
});

describe('a worker tells of a batch', () => {
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

  /** What is told while all that wait are settled. */
  async function tellings(): Promise<Batch[]> {
    const told: Batch[] = [];
    const batches = makeBatchesInHand(1);
    const { db } = stack.api.context;
    const { id } = await db.transmission.findFirstOrThrow({ where: { completedAt: null } });
    const watched: BatchesInHand = {
      handle: (batch) =>
        batches.handle((took) =>
          batch((taken) => {
            told.push(taken);
            took(taken);
          }),
        ),
    };
    await processTransmission({ ...makeHands(stack.api.context), batches: watched }, { id });
    expect(await db.transmission.count({ where: { completedAt: null } })).toBe(0);
    return told;
  }

  it('that an insurer has little in it and another one much', async () => {
    await record('alpha', 'INS-ALPHA', 60);
    await record('bravo', 'INS-BRAVO', 1);
    const [first] = await tellings();
    expect(first).toEqual({ isPart: false, hasSmallShare: true });
  });

  it('that others wait, or none, and that it is single', async () => {
    await record('alpha', 'INS-ALPHA', BATCH_TRANSMISSIONS_MAX + 12);
    expect(await tellings()).toEqual([FULL, PART]);
    await record('alpha', 'INS-ALPHA', 1);
    expect(await tellings()).toEqual([FULL]);
  });

  it('nothing of small shares when insurers have as much as one another', async () => {
    await record('alpha', 'INS-ALPHA', 30);
    await record('bravo', 'INS-BRAVO', 30);
    const told = await tellings();
    expect(told.length).toBeGreaterThan(1);
    expect(told.some(({ hasSmallShare }) => hasSmallShare)).toBe(false);
  });
});
