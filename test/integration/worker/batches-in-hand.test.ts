import {
  type Batch,
  type BatchesInHand,
  EXPECTED_MS,
  GAP_MS,
  LOOK_BESIDE_MS,
  makeBatchesInHand,
  type Time,
} from '../../../worker/batches-in-hand.ts';
import {
  BATCH_TRANSMISSIONS_MAX,
  processTransmission,
} from '../../../worker/process-transmission.ts';
import { makeBody } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { makeHands } from '../../env/records/hands.ts';

const FULL: Batch = { isPart: false, hasSmallShare: false, organizationIds: ['large'] };
const PART: Batch = { ...FULL, isPart: true };
const MIXED: Batch = { ...FULL, hasSmallShare: true };
const SMALL: Batch = { ...FULL, hasSmallShare: true, organizationIds: ['small'] };

/**
 * Asks for a batch, which takes something or nothing at once and ends when it is told to. What it is asked for beside those in
 * hand it takes from `beside`, which ends when it is told to.
 */
function ask(batches: BatchesInHand, batch?: Batch, beside: Batch[] = []) {
  const asked = {
    hasBegun: false,
    isSettled: false,
    end: async () => {},
    looks: [] as (readonly string[])[],
    endBeside: () => {},
  };
  const handled = batches.handle(
    async (except) => {
      if (except.length > 0) {
        asked.looks.push(except);
        return { batch: beside.shift(), isBeside: true };
      }
      asked.hasBegun = true;
      return { batch, isBeside: false };
    },
    ({ isBeside }) =>
      new Promise<void>((resolve) => {
        if (isBeside) asked.endBeside = resolve;
        else {
          asked.end = async () => {
            resolve();
            await handled;
          };
        }
      }),
  );
  void handled.then(() => {
    asked.isSettled = true;
  });
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
    const asked = [ask(batches, FULL), ask(batches, FULL), ask(batches, FULL)] as const;
    await others();
    expect(asked.map(({ hasBegun }) => hasBegun)).toEqual([true, true, false]);
    await asked[0].end();
    await others();
    expect(asked[2].hasBegun).toBe(true);
    await Promise.all([asked[1].end(), asked[2].end()]);
  });

  it('are one at a time from the one that shows a small share, for a while', async () => {
    const batches = makeBatchesInHand(2, time);
    const asked = [ask(batches, MIXED), ask(batches, FULL), ask(batches, FULL)] as const;
    await others();
    expect(asked.map(({ hasBegun }) => hasBegun)).toEqual([true, false, false]);
    await asked[0].end();
    await others();
    expect(asked.map(({ hasBegun }) => hasBegun)).toEqual([true, true, false]);
    nowMs += EXPECTED_MS;
    await asked[1].end();
    const fourth = ask(batches, FULL);
    await others();
    expect([asked[2].hasBegun, fourth.hasBegun]).toEqual([true, true]);
    await Promise.all([asked[2].end(), fourth.end()]);
  });

  it('have beside them what others come with, while small shares are expected', async () => {
    const batches = makeBatchesInHand(2, time);
    const large = ask(batches, MIXED);
    const next = ask(batches, FULL, [SMALL]);
    await others();
    expect([next.hasBegun, next.looks]).toEqual([false, [['large']]]);
    // One at a time: the next look is when it has ended.
    next.endBeside();
    await others();
    expect([next.looks.length, passing?.milliseconds]).toEqual([2, LOOK_BESIDE_MS]);
    passing?.end();
    await others();
    expect(next.looks).toHaveLength(3);
    await large.end();
    await others();
    expect([next.hasBegun, next.looks.length]).toEqual([true, 3]);
    await next.end();
  });

  it('are handled when what was taken beside is settled, too', async () => {
    const batches = makeBatchesInHand(1, time);
    const large = ask(batches, MIXED);
    const next = ask(batches, undefined, [SMALL]);
    await others();
    await large.end();
    await others();
    expect([next.hasBegun, next.isSettled]).toEqual([true, false]);
    next.endBeside();
    await others();
    expect(next.isSettled).toBe(true);
  });

  it('have nothing beside them while no small share is expected', async () => {
    const batches = makeBatchesInHand(1, time);
    const first = ask(batches, FULL);
    const next = ask(batches, FULL, [SMALL]);
    await others();
    await first.end();
    await others();
    expect([next.hasBegun, next.looks]).toEqual([true, []]);
    await next.end();
  });

  it('are taken at once after one that was full or single, and after one that was empty', async () => {
    const batches = makeBatchesInHand(1, time);
    for (const batch of [FULL, undefined, FULL]) {
      const asked = ask(batches, batch);
      await others();
      expect(asked.hasBegun).toBe(true);
      await asked.end();
    }
  });

  it('are taken apart from one another after one of several that were all', async () => {
    const batches = makeBatchesInHand(1, time);
    const first = ask(batches, PART);
    await others();
    await first.end();
    nowMs += 1;
    const second = ask(batches, PART);
    await others();
    expect([second.hasBegun, passing?.milliseconds]).toEqual([false, GAP_MS - 1]);
    nowMs += GAP_MS - 1;
    passing?.end();
    await others();
    expect(second.hasBegun).toBe(true);
    await second.end();
    nowMs += GAP_MS;
    const third = ask(batches, FULL);
    await others();
    expect(third.hasBegun).toBe(true);
    await third.end();
  });

  it('go on after one that could not be taken, and one that could not be settled', async () => {
    const batches = makeBatchesInHand(1);
    const fail = () => Promise.reject(new Error('failed'));
    const take = async () => ({ batch: FULL });
    await expect(batches.handle(fail, async () => undefined)).rejects.toThrow('failed');
    await expect(batches.handle(take, fail)).rejects.toThrow('failed');
    await expect(batches.handle(take, async () => undefined)).resolves.toEqual({ batch: FULL });
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
      ...batches,
      handle: (take, settle) =>
        batches.handle(async (except) => {
          const taken = await take(except);
          if (taken.batch !== undefined) told.push(taken.batch);
          return taken;
        }, settle),
    };
    await processTransmission({ ...makeHands(stack.api.context), batches: watched }, { id });
    expect(await db.transmission.count({ where: { completedAt: null } })).toBe(0);
    return told;
  }

  it('that an insurer has little in it and another one much', async () => {
    await record('alpha', 'INS-ALPHA', 60);
    await record('bravo', 'INS-BRAVO', 1);
    const [first] = await tellings();
    const { id } = await stack.api.context.db.organization.findUniqueOrThrow({
      where: { code: 'INS-ALPHA' },
    });
    expect(first).toEqual({ isPart: false, hasSmallShare: true, organizationIds: [id] });
  });

  it('that others wait, or none, and that it is single', async () => {
    await record('alpha', 'INS-ALPHA', BATCH_TRANSMISSIONS_MAX + 12);
    expect(await tellings()).toMatchObject([
      { isPart: false, hasSmallShare: false },
      { isPart: true, hasSmallShare: false },
    ]);
    await record('alpha', 'INS-ALPHA', 1);
    expect(await tellings()).toMatchObject([{ isPart: false, hasSmallShare: false }]);
  });

  it('that was taken beside another one, and looks again when it is settled', async () => {
    await record('bravo', 'INS-BRAVO', 1);
    const { db } = stack.api.context;
    const { id, organizationId } = await db.transmission.findFirstOrThrow({
      where: { completedAt: null },
    });
    const { id: other } = await db.organization.findUniqueOrThrow({ where: { code: 'INS-ALPHA' } });
    const told: (Batch | undefined)[] = [];
    const batches: BatchesInHand = {
      ...makeBatchesInHand(1),
      handle: async (take, settle) => {
        const isFirst = told.length === 0;
        const taken = await take(isFirst ? [other] : []);
        told.push(taken.batch);
        if (taken.batch !== undefined) await settle(taken);
        return isFirst ? take([]) : taken;
      },
    };
    await processTransmission({ ...makeHands(stack.api.context), batches }, { id });
    expect(told).toEqual([
      { isPart: false, hasSmallShare: true, organizationIds: [organizationId] },
      undefined,
    ]);
    expect(await db.transmission.count({ where: { completedAt: null } })).toBe(0);
  });

  it('nothing of small shares when insurers have as much as one another', async () => {
    await record('alpha', 'INS-ALPHA', 30);
    await record('bravo', 'INS-BRAVO', 30);
    const told = await tellings();
    expect(told.length).toBeGreaterThan(1);
    expect(told.some(({ hasSmallShare }) => hasSmallShare)).toBe(false);
  });
});
