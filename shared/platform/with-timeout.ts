import { setTimeout as sleep } from 'node:timers/promises';

/** Who looks after a process asks for its health and its gauges, and does not wait as long as a request for a part that says nothing. */
export const PROBE_MS_MAX = 5_000;

/** What `work` brings, unless that takes longer: then it rejects, and `work` goes on by itself. */
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
