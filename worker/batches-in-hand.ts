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
  /** Handles one batch when its turn has come. `took` is called once, or not at all when there is nothing to do. */
  handle<Result>(batch: (took: (batch: Batch) => void) => Promise<Result>): Promise<Result>;
}

/** So long after a small share was seen others are expected. */
export const EXPECTED_MS = 2_000;
/**
 * Begins of batches are so far apart at least while they are parts: most of the work of a small batch is its own, so under
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
  const inTurn = pLimit(batchesMax);
  let smallUntil = Number.NEGATIVE_INFINITY;
  let restsUntil = Number.NEGATIVE_INFINITY;
  return {
    handle: (batch) => {
      inTurn.concurrency = time.now() < smallUntil ? 1 : batchesMax;
      return inTurn(async () => {
        const restMs = restsUntil - time.now();
        if (restMs > 0) await time.pass(restMs);
        const begunAt = time.now();
        return batch(({ isPart, hasSmallShare }) => {
          if (hasSmallShare) smallUntil = time.now() + EXPECTED_MS;
          if (isPart) restsUntil = begunAt + GAP_MS;
        });
      });
    },
  };
}
