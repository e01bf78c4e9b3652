import type { Db } from '../../../shared/db/prisma.ts';
import type { Logger } from '../../../shared/platform/logger.ts';
import { repeat } from '../../../shared/platform/repeat.ts';
import { type FeedWait, findChanged } from '../../../shared/store/registry/feed/scan-changes.ts';

/** Requests that wait for changes (`Prefer: wait`, D37). They share one query per process. */
export interface FeedWaiters {
  /** True when the feed has a change. False when the time is over, the caller has disconnected, or the process stops. */
  wait(wait: FeedWait, milliseconds: number, signal: AbortSignal): Promise<boolean>;
  /** Called when transmissions became terminal: their changes may be readable. A notice may be missing, late or repeated. */
  notify(): void;
  /** Ends every wait, because the process stops. */
  close(): Promise<void>;
}

/** A change without a notice is found after this time: a flag review, or one that an open transaction held back. */
const LOOK_INTERVAL_MS = 250;
/** With notices, changes are looked for this often. */
const NOTICE_INTERVAL_MS = 50;

export function makeFeedWaiters(db: Pick<Db, '$queryRaw'>, logger: Logger): FeedWaiters {
  const waiting = new Map<(hasChange: boolean) => void, FeedWait>();
  let closed = false;
  let isNotified = false;
  let lookedAt = 0;
  const looking = repeat(
    async () => {
      const isDue = isNotified || performance.now() - lookedAt >= LOOK_INTERVAL_MS;
      if (waiting.size === 0 || !isDue) return;
      isNotified = false;
      lookedAt = performance.now();
      const waits = [...waiting];
      const changed = await findChanged(
        db,
        waits.map(([, wait]) => wait),
      );
      waits.forEach(([wake], index) => {
        if (changed[index] === true) wake(true);
      });
    },
    {
      everyMs: NOTICE_INTERVAL_MS,
      onError: (err) => logger.warn({ err }, 'the feeds of waiting requests could not be read'),
    },
  );
  return {
    wait: (wait, milliseconds, signal) =>
      new Promise((resolve) => {
        if (closed || milliseconds <= 0 || signal.aborted) return resolve(false);
        const wake = (hasChange: boolean): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          waiting.delete(wake);
          resolve(hasChange);
        };
        const giveUp = (): void => wake(false);
        const timer = setTimeout(giveUp, milliseconds);
        signal.addEventListener('abort', giveUp);
        waiting.set(wake, wait);
      }),
    notify: () => {
      isNotified = true;
    },
    close: async () => {
      closed = true;
      for (const wake of waiting.keys()) wake(false);
      await looking.stop();
    },
  };
}
