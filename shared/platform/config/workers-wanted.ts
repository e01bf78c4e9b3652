import type { Config } from './config.ts';

/** What a look at the backlog shows; ages in seconds, rates per second, costs in certificates of one vehicle. */
export interface Load {
  /** What the transmissions cost that wait or are being validated. */
  readonly waitingCost: number;
  readonly oldestSeconds: number;
  /** What all workers together settled lately. */
  readonly costPerSecond: number;
  readonly workers: number;
}

export interface LoadTarget {
  /** What waits is to be settled within so many seconds. */
  readonly drainSeconds: number;
  /** What one worker process is expected to settle when nothing better is known. */
  readonly workerRatePerSecond: number;
}

export function loadTargetOf({
  backlogDrainSeconds,
  workerRatePerSecond,
}: Pick<Config, 'backlogDrainSeconds' | 'workerRatePerSecond'>): LoadTarget {
  return { drainSeconds: backlogDrainSeconds, workerRatePerSecond };
}

/** However old the oldest one is, the others get this share of the time. */
const TIME_SHARE_MIN = 0.25;
/** Of divisions that should come out whole. */
const ROUNDING = 1e-9;

/**
 * Worker processes that settle what waits in time, for an autoscaler: max(settled per second ÷ rate, waiting ÷ (rate × time)),
 * rounded up. The time is `drainSeconds` less the age of the oldest, a quarter of it at least. The rate is that of a worker:
 * what is observed or expected, whichever is more, since workers without enough to do show too little; once the oldest is
 * older than `drainSeconds` they do have enough, and what is observed counts. 0 when nothing waits and nothing is settled,
 * else 1 at least. The present number of workers enters only through the rate, so the answer does not feed on itself.
 */
export function workersWanted(
  { waitingCost, oldestSeconds, costPerSecond, workers }: Load,
  { drainSeconds, workerRatePerSecond }: LoadTarget,
): number {
  if (waitingCost <= 0 && costPerSecond <= 0) return 0;
  const observed = workers > 0 ? costPerSecond / workers : 0;
  const isLate = oldestSeconds > drainSeconds && observed > 0;
  const rate = isLate ? observed : Math.max(observed, workerRatePerSecond);
  const seconds = Math.max(drainSeconds - oldestSeconds, drainSeconds * TIME_SHARE_MIN);
  const wanted = Math.max(costPerSecond / rate, waitingCost / (rate * seconds));
  return Math.max(1, Math.ceil(wanted - ROUNDING));
}
