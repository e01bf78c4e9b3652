import type { Db } from '../../../shared/db/prisma.ts';
import type { Logger } from '../../../shared/platform/logger.ts';
import { type Repeater, repeat } from '../../../shared/platform/repeat.ts';
import { readSettled } from '../../../shared/store/intake/transmissions.ts';

/** Requests that wait for terminal statuses: one subscription and one look at the rows a process, however many wait. */
export interface Waiters {
  /** Resolves when the transmission is terminal, the time is over or the caller is gone; look at the row then. */
  wait(id: string, milliseconds: number, signal: AbortSignal): Promise<void>;
  /** For the subscription: these were settled. A notice may be missing, late or double. */
  notify(ids: readonly string[]): void;
  /** Ends every wait now: the process stops. */
  close(): Promise<void>;
}

/** A lost notice delays an answer by no more. */
const LOOK_INTERVAL_MS = 500;

export function makeWaiters(db: Db, logger: Logger): Waiters {
  const waiting = new Map<string, Set<() => void>>();
  let closed = false;
  const notify = (ids: readonly string[]): void => {
    for (const id of ids) {
      for (const wake of waiting.get(id) ?? []) wake();
    }
  };
  const looking: Repeater = repeat(
    async () => {
      if (waiting.size > 0) notify(await readSettled(db, [...waiting.keys()]));
    },
    {
      everyMs: LOOK_INTERVAL_MS,
      onError: (err) => logger.warn({ err }, 'waiting transmissions could not be looked at'),
    },
  );
  return {
    notify,
    wait: (id, milliseconds, signal) =>
      new Promise((resolve) => {
        if (closed || milliseconds <= 0 || signal.aborted) return resolve();
        const wake = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          const wakes = waiting.get(id);
          wakes?.delete(wake);
          if (wakes?.size === 0) waiting.delete(id);
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        signal.addEventListener('abort', wake);
        const wakes = waiting.get(id) ?? new Set();
        waiting.set(id, wakes.add(wake));
      }),
    close: async () => {
      closed = true;
      notify([...waiting.keys()]);
      await looking.stop();
    },
  };
}
