import { setTimeout as sleep } from 'node:timers/promises';

/** A closed loop: each lane sends its next item when the one before is done. */
export interface Load {
  /** Items that are done. */
  done(): number;
  /** Resolves after that time; rejects as soon as a lane fails. */
  during(ms: number): Promise<void>;
  /** Resolves when what was under way is done. */
  stop(): Promise<void>;
}

export function startLoad(lanes: number, send: (lane: number) => Promise<unknown>): Load {
  let isStopping = false;
  let done = 0;
  const run = async (lane: number): Promise<void> => {
    while (!isStopping) {
      await send(lane);
      done += 1;
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)));
  // Reported by `during` or `stop`, whichever is waiting.
  running.catch(() => undefined);
  return {
    done: () => done,
    during: async (ms) => void (await Promise.race([sleep(ms), running])),
    stop: async () => {
      isStopping = true;
      await running;
    },
  };
}

/**
 * An open loop: item n is due n ÷ rate seconds after the start, however long the earlier ones take. Resolves with the
 * milliseconds from due to done of each, in order.
 */
export async function sendAtRate(
  count: number,
  perSecond: number,
  send: () => Promise<unknown>,
): Promise<number[]> {
  const startedMs = performance.now();
  const latencies: Promise<number>[] = [];
  for (let n = 0; n < count; n += 1) {
    const dueMs = startedMs + (n * 1_000) / perSecond;
    await sleep(Math.max(0, dueMs - performance.now()));
    const latency = send().then(() => performance.now() - dueMs);
    // A failure is reported below, when all have been sent.
    latency.catch(() => undefined);
    latencies.push(latency);
  }
  return Promise.all(latencies);
}

/** Interpolated between neighbours. Throws without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = ((sorted.length - 1) * percent) / 100;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  if (low === undefined || high === undefined) throw new Error('no values');
  return low + (high - low) * (at - Math.floor(at));
}
