import type { Attempt } from './transport.ts';

/** With half as many, the registry commits fewer transmissions together, and a batch takes a third longer. */
export const IN_FLIGHT_MAX = 64;
const IN_FLIGHT_START = 4;
/** The answers to requests that were in flight together count as one sign of overload. */
const DECREASE_PAUSE_MS = 1_000;
const SLOW_FACTOR = 4;
const SLOW_MIN_MS = 500;

/** How many requests may be in flight at a time: more while the registry answers well, fewer when it does not (D42). */
export interface InFlightLimit {
  /** Waits until another request may start. */
  enter(): Promise<void>;
  leave(): void;
  observe(attempt: Attempt): void;
  readonly current: number;
}

/** Additive increase, multiplicative decrease. */
export function makeInFlightLimit(
  max = IN_FLIGHT_MAX,
  isTimed = true,
  now: () => number = Date.now,
): InFlightLimit {
  let limit = Math.min(IN_FLIGHT_START, max);
  let inFlight = 0;
  let decreasedAtMs = Number.NEGATIVE_INFINITY;
  let fastestMs = Number.POSITIVE_INFINITY;
  const waiting: (() => void)[] = [];

  function decrease(factor: number): void {
    if (now() - decreasedAtMs < DECREASE_PAUSE_MS) return;
    decreasedAtMs = now();
    limit = Math.max(1, limit * factor);
  }

  return {
    get current() {
      return Math.max(1, Math.floor(limit));
    },
    async enter() {
      while (inFlight >= Math.max(1, Math.floor(limit))) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      inFlight += 1;
    },
    leave() {
      inFlight -= 1;
      // Everyone looks again, because the limit may have changed.
      for (const resolve of waiting.splice(0)) resolve();
    },
    observe({ status, durationMs, remaining }) {
      if (status === null || status === 429 || status >= 500) {
        decrease(0.5);
        return;
      }
      fastestMs = Math.min(fastestMs, durationMs);
      const isSlow = isTimed && durationMs > Math.max(SLOW_MIN_MS, fastestMs * SLOW_FACTOR);
      if (isSlow) decrease(0.9);
      else if (remaining !== null && remaining < limit) decrease(0.5);
      else limit = Math.min(max, limit + 1 / limit);
    },
  };
}
