import type { Db } from '../../../shared/db/prisma.ts';
import type { Logger } from '../../../shared/platform/logger.ts';
import { type Repeater, repeat } from '../../../shared/platform/repeat.ts';
import { readSettled } from '../../../shared/store/intake/transmissions.ts';

/** Requests that wait for terminal statuses. They share one subscription and one query per process. */
export interface Waiters {
  /** Resolves when the transmission is terminal, the time is over or the caller has disconnected. Read the row after it. */
  wait(id: string, milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Called by the subscription with transmissions that became terminal. A notice may be missing, late or repeated. */
  notify(ids: readonly string[]): void;
  /** Ends every wait, because the process stops. */
  close(): Promise<void>;
}

/** A lost completion notice delays an answer by at most this time. */
const ROWS_READ_INTERVAL_MS = 500;

export function makeWaiters(db: Db, logger: Logger): Waiters {
  const waiting = new Map<string, Set<() => void>>();
  let closed = false;
  const notify = (ids: readonly string[]): void => {
    for (const id of ids) {
      for (const wake of waiting.get(id) ?? []) wake();
    }
  };
  const reading: Repeater = repeat(
    async () => {
      if (waiting.size > 0) notify(await readSettled(db, [...waiting.keys()]));
    },
    {
      everyMs: ROWS_READ_INTERVAL_MS,
      onError: (err) =>
        logger.warn({ err }, 'the statuses of waiting transmissions could not be read'),
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
      await reading.stop();
    },
  };
}
