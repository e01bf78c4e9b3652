/** Upper bound on the share of the time in which reads run. */
const READ_SHARE_MAX = 0.05;
/** Upper bound on the refresh interval. */
const REFRESH_MS_MAX = 10_000;

export interface StaleWhileRevalidateOptions {
  /** Least milliseconds from the start of a read to the start of the next. */
  readonly refreshMs: number;
  /** While a read runs, the last value may be returned for this many milliseconds after it was due for a refresh. */
  readonly maxStaleMs?: number;
}

/**
 * Makes a function that returns the result of `read` to all callers, and reads again at most every `refreshMs`
 * (stale-while-revalidate). A slow read is repeated less often: it may take a twentieth of the time, but it is repeated
 * after ten seconds at the latest.
 *
 * While a read runs, callers get the last value, if it is not too stale. Otherwise they wait for the read, and get its
 * error if it fails. A read that never ends blocks only the callers that came within `refreshMs` of its start.
 */
export function staleWhileRevalidate<Value>(
  read: () => Promise<Value>,
  { refreshMs, maxStaleMs = 0 }: StaleWhileRevalidateOptions,
): () => Promise<Value> {
  let latest: Promise<Value> | undefined;
  let refreshAt = 0;
  let last: { readonly value: Value; readonly usableUntil: number } | undefined;

  return async () => {
    const now = performance.now();
    if (latest === undefined || now >= refreshAt) latest = startRead(now);
    return last !== undefined && now < last.usableUntil ? last.value : latest;
  };

  function startRead(startedAt: number): Promise<Value> {
    refreshAt = startedAt + refreshMs;
    const reading = read().then((value) => {
      if (latest !== reading) return value;
      const tookMs = performance.now() - startedAt;
      refreshAt = startedAt + clamp(tookMs / READ_SHARE_MAX, refreshMs, REFRESH_MS_MAX);
      last = { value, usableUntil: refreshAt + maxStaleMs };
      return value;
    });
    // Callers that got the last value do not wait for this read, so its error must count as handled.
    reading.catch(() => undefined);
    return reading;
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(Math.min(value, max), min);
}
