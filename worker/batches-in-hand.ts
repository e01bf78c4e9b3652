import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

/** What may be taken at once. */
export interface BatchLimits {
  readonly transmissionsMax: number;
  readonly vehiclesMax: number;
}

/** What was taken at once. */
export interface Batch {
  readonly transmissions: number;
  /** Of one organization little, of another one much. */
  readonly hasSmallShare: boolean;
}

/**
 * The batches that a process has in hand: what comes now waits for one of them at least. Several large ones settle the most.
 * While organizations with little come beside one with much, it is one at a time and half as large: the little waits for
 * little.
 */
export interface BatchesInHand {
  /** Handles one batch when its turn has come. `took` is called once, or not at all when there is nothing to do. */
  handle<Result>(
    batch: (limits: BatchLimits, took: (batch: Batch) => void) => Promise<Result>,
  ): Promise<Result>;
}

/** Under backlog so many new certificates are settled in one transaction; idle, it is one. */
export const LARGE_BATCH: BatchLimits = { transmissionsMax: 50, vehiclesMax: 500 };
export const SMALL_BATCH: BatchLimits = { transmissionsMax: 25, vehiclesMax: 250 };
/** So long after a small share was seen others are expected. */
export const EXPECTED_MS = 2_000;
/**
 * Begins of batches are so far apart at least while they are of several transmissions and not full: most of the work of a
 * small batch is its own, so under load larger ones settle more. One that comes alone waits for nothing.
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
  let expectedUntil = Number.NEGATIVE_INFINITY;
  let restsUntil = Number.NEGATIVE_INFINITY;
  const expectsSmall = () => time.now() < expectedUntil;
  return {
    handle: (batch) => {
      inTurn.concurrency = expectsSmall() ? 1 : batchesMax;
      return inTurn(async () => {
        const restMs = restsUntil - time.now();
        if (restMs > 0) await time.pass(restMs);
        const limits = expectsSmall() ? SMALL_BATCH : LARGE_BATCH;
        const begunAt = time.now();
        return batch(limits, ({ transmissions, hasSmallShare }) => {
          if (hasSmallShare) expectedUntil = time.now() + EXPECTED_MS;
          const isPart = transmissions > 1 && transmissions < limits.transmissionsMax;
          if (isPart) restsUntil = begunAt + GAP_MS;
        });
      });
    },
  };
}
