import { setTimeout as sleep } from 'node:timers/promises';

/** Health checks and gauges give up on a silent part after this time, which is shorter than for requests. */
export const PROBE_MS_MAX = 5_000;

/** Resolves with the result of `work`, or rejects after `ms`. The work itself is not cancelled. */
export async function withTimeout<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const tooLong = async (): Promise<never> => {
    await sleep(ms, undefined, { signal: over.signal });
    throw new Error(`it took longer than ${ms} ms`);
  };
  try {
    return await Promise.race([work, tooLong()]);
  } finally {
    over.abort();
  }
}
