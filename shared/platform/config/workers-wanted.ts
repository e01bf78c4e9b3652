import type { Config } from './config.ts';

/** The measured backlog: ages in seconds, rates per second, costs in certificates of one vehicle. */
export interface Load {
  /** The cost of all transmissions that wait or are being validated. */
  readonly waitingCost: number;
  readonly oldestSeconds: number;
  /** The recent throughput of all workers together. */
  readonly costPerSecond: number;
  readonly workers: number;
}

export interface LoadTarget {
  /** The time within which the backlog should be processed. */
  readonly drainSeconds: number;
  /** The expected throughput of one worker process until more is observed. */
  readonly workerRatePerSecond: number;
}

export function loadTargetOf({
  backlogDrainSeconds,
  workerRatePerSecond,
}: Pick<Config, 'backlogDrainSeconds' | 'workerRatePerSecond'>): LoadTarget {
  return { drainSeconds: backlogDrainSeconds, workerRatePerSecond };
}

/** The share of `drainSeconds` that always counts, however old the oldest transmission is. */
const TIME_SHARE_MIN = 0.25;
/** Tolerance for divisions whose exact result is a whole number. */
const ROUNDING = 1e-9;

/**
 * The number of worker processes that process the backlog in time, for an autoscaler:
 * max(settled per second ÷ rate, waiting ÷ (rate × time)), rounded up.
 * - The time is `drainSeconds` minus the age of the oldest transmission, but at least a quarter of `drainSeconds`.
 * - The rate of one worker is the observed or the expected rate, whichever is higher, because idle workers show a rate that is
 *   too low. Once the oldest transmission is older than `drainSeconds`, workers are not idle and the observed rate counts.
 * - The result is 0 when nothing waits and nothing is settled, and otherwise at least 1.
 * - The current number of workers only affects the rate, so the result cannot drive itself up.
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
