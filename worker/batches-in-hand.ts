import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

/** What was taken at once. */
export interface Batch {
  /** Several transmissions, and no other waits. */
  readonly isPart: boolean;
  /** Of one organization little, of another one much. */
  readonly hasSmallShare: boolean;
}

/**
 * The batches that a process has in hand: what comes now waits for one of them at least. Several settle the most; while
 * organizations with little come beside one with much, it is one at a time, and the little waits for little.
 */
export interface BatchesInHand {
  /**
   * Takes and settles one batch when its turn has come, and resolves when it is settled. Batches are taken one after
   * another, so that what one of them shows counts for the next. `take` names no batch when there is nothing to settle.
   */
  handle<Taken extends { readonly batch: Batch | undefined }>(
    take: () => Promise<Taken>,
    settle: (taken: Taken) => Promise<void>,
  ): Promise<Taken>;
}

/** So long after a small share was seen others are expected. */
export const EXPECTED_MS = 2_000;
/**
 * Batches are taken so far apart at least while they are parts: most of the work of a small batch is its own, so under
 * load larger ones settle more. One that comes alone waits for nothing.
 */
export const GAP_MS = 40;

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
  const inHand = new Set<Promise<unknown>>();
  let smallUntil = Number.NEGATIVE_INFINITY;
  let restsUntil = Number.NEGATIVE_INFINITY;

  const untilPlace = async (): Promise<void> => {
    const restMs = restsUntil - time.now();
    if (restMs > 0) await time.pass(restMs);
    while (inHand.size >= (time.now() < smallUntil ? 1 : batchesMax)) await Promise.race(inHand);
  };
  return {
    handle: async (take, settle) => {
      const { taken, settled } = await inTurn(async () => {
        await untilPlace();
        const takenAt = time.now();
        const taken = await take();
        if (taken.batch === undefined) return { taken, settled: undefined };
        if (taken.batch.hasSmallShare) smallUntil = time.now() + EXPECTED_MS;
        if (taken.batch.isPart) restsUntil = takenAt + GAP_MS;
        const settled = settle(taken);
        const ended = settled.catch(() => undefined).finally(() => inHand.delete(ended));
        inHand.add(ended);
        return { taken, settled };
      });
      await settled;
      return taken;
    },
  };
}
