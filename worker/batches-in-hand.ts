import pLimit from 'p-limit';

/** What may be taken at once. */
export interface BatchLimits {
  readonly transmissionsMax: number;
  readonly vehiclesMax: number;
}

/**
 * The batches that a process has in hand: what comes now waits for one of them at least. Several large ones settle the most.
 * While organizations with little come beside one with much, it is one at a time and half as large: the little waits for
 * little.
 */
export interface BatchesInHand {
  /** Handles one batch when its turn has come. */
  handle<Result>(batch: (limits: BatchLimits) => Promise<Result>): Promise<Result>;
  /** Of what was taken at once an organization had little and another one much. */
  sawSmallShare(): void;
}

/** Under backlog so many new certificates are settled in one transaction; idle, it is one. */
export const LARGE_BATCH: BatchLimits = { transmissionsMax: 50, vehiclesMax: 500 };
export const SMALL_BATCH: BatchLimits = { transmissionsMax: 25, vehiclesMax: 250 };
/** So long after a small share was seen others are expected. */
export const EXPECTED_MS = 2_000;

export function makeBatchesInHand(
  batchesMax: number,
  millisecondsNow: () => number = () => performance.now(),
): BatchesInHand {
  const inTurn = pLimit(batchesMax);
  let expectedUntil = Number.NEGATIVE_INFINITY;
  const expectsSmall = () => millisecondsNow() < expectedUntil;
  return {
    handle: (batch) => {
      inTurn.concurrency = expectsSmall() ? 1 : batchesMax;
      return inTurn(() => batch(expectsSmall() ? SMALL_BATCH : LARGE_BATCH));
    },
    sawSmallShare: () => {
      expectedUntil = millisecondsNow() + EXPECTED_MS;
    },
  };
}
