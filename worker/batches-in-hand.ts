import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

/** What was taken at once. */
export interface Batch {
  /** Several transmissions, and no other waits. */
  readonly isPart: boolean;
  /** Of one organization little, of another one much. */
  readonly hasSmallShare: boolean;
  /** Those of which it has much, or all where none has. */
  readonly organizationIds: readonly string[];
}

/**
 * The batches that a process has in hand: what comes now waits for one of them at least. Several settle the most; while
 * organizations with little come beside one with much, it is one at a time, and the little doesn't wait for it either: it is
 * taken and settled beside.
 */
export interface BatchesInHand {
  /**
   * Takes and settles one batch when its turn has come, and resolves when it is settled. Batches are taken one after
   * another, so that what one of them shows counts for the next. `take` names no batch when there is nothing to settle.
   * Until its turn has come it may be asked for what waits of others than `except`, to be settled beside the batch in hand.
   */
  handle<Taken extends { readonly batch: Batch | undefined }>(
    take: (except: readonly string[]) => Promise<Taken>,
    settle: (taken: Taken) => Promise<void>,
  ): Promise<Taken>;
  /** Milliseconds since the oldest call came that has not ended; 0 when none is under way. */
  underWayMs(): number;
}

/** So long after a small share was seen others are expected. */
export const EXPECTED_MS = 2_000;
/**
 * Batches are taken so far apart at least while they are parts: most of the work of a small batch is its own, so under
 * load larger ones settle more. One that comes alone waits for nothing.
 */
export const GAP_MS = 40;
/** While small shares are expected, so often it is looked whether one has come beside the batch in hand. */
export const LOOK_BESIDE_MS = 15;

/** Milliseconds from any moment. */
export interface Time {
  now(): number;
  pass(milliseconds: number): Promise<unknown>;
}

export function makeBatchesInHand(
  batchesMax: number,
  time: Time = { now: () => performance.now(), pass: (milliseconds) => sleep(milliseconds) },
): BatchesInHand {
  const inTurn = pLimit(1);
  const inHand = new Map<Promise<unknown>, Batch>();
  /** What is settled beside those in hand. */
  let beside: Promise<unknown> | undefined;
  let smallUntil = Number.NEGATIVE_INFINITY;
  let restsUntil = Number.NEGATIVE_INFINITY;
  /** When the calls that have not ended came, the oldest first. */
  const cameAt = new Map<object, number>();

  const isSmallExpected = () => time.now() < smallUntil;
  const isFull = () => inHand.size >= (isSmallExpected() ? 1 : batchesMax);
  const note = ({ hasSmallShare }: Batch): void => {
    if (hasSmallShare) smallUntil = time.now() + EXPECTED_MS;
  };
  const untilPlace = async (settleBeside: () => Promise<void>): Promise<void> => {
    const restMs = restsUntil - time.now();
    if (restMs > 0) await time.pass(restMs);
    while (isFull()) {
      const isLooking = isSmallExpected();
      if (isLooking && beside === undefined) {
        await settleBeside();
        // All in hand may have ended meanwhile, and a race of nothing never ends.
        if (!isFull()) return;
      }
      const looks = isLooking ? [beside ?? time.pass(LOOK_BESIDE_MS)] : [];
      await Promise.race([...inHand.keys(), ...looks]);
    }
  };
  const takeAndSettle: BatchesInHand['handle'] = async (take, settle) => {
    const settledBeside: Promise<void>[] = [];
    const settleBeside = async (): Promise<void> => {
      const except = [...inHand.values()].flatMap(({ organizationIds }) => organizationIds);
      const taken = await take(except);
      if (taken.batch === undefined) return;
      note(taken.batch);
      const settled = settle(taken);
      settledBeside.push(settled);
      beside = settled
        .catch(() => undefined)
        .finally(() => {
          beside = undefined;
        });
    };
    const { taken, settled } = await inTurn(async () => {
      await untilPlace(settleBeside);
      const takenAt = time.now();
      const taken = await take([]);
      if (taken.batch === undefined) return { taken, settled: undefined };
      note(taken.batch);
      if (taken.batch.isPart) restsUntil = takenAt + GAP_MS;
      const settled = settle(taken);
      const ended = settled.catch(() => undefined).finally(() => inHand.delete(ended));
      inHand.set(ended, taken.batch);
      return { taken, settled };
    });
    await Promise.all([settled, ...settledBeside]);
    return taken;
  };
  return {
    handle: async (take, settle) => {
      const call = {};
      cameAt.set(call, time.now());
      try {
        return await takeAndSettle(take, settle);
      } finally {
        cameAt.delete(call);
      }
    },
    underWayMs: () => {
      const [oldest] = cameAt.values();
      return oldest === undefined ? 0 : time.now() - oldest;
    },
  };
}
