import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../../shared/db/with-client.ts';

export interface IdleWatch {
  /** Returns the longest time that a transaction was idle, and its last statement. */
  stop(): Promise<IdleTime>;
}

export interface IdleTime {
  readonly longestMs: number;
  readonly after: string;
  /** The largest delay of a timer: a slow machine also delays the workers. */
  readonly lateMs: number;
}

const POLL_INTERVAL_MS = 200;

/** Watches the transactions of a database on a separate connection. While the database is down it sees nothing. */
export function watchIdleTransactions(databaseUrl: string): IdleWatch {
  let isStopping = false;
  let longest = { longestMs: 0, after: '' };
  let lateMs = 0;
  const watch = async (): Promise<void> => {
    await withClient(databaseUrl, 'idle-watch', async (client) => {
      while (!isStopping) {
        const { rows } = await client.query<{ ms: number; query: string }>(
          `SELECT extract(epoch FROM clock_timestamp() - state_change)::float8 * 1000 AS ms, left(query, 80) AS query
           FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
           ORDER BY state_change LIMIT 1`,
        );
        const [row] = rows;
        if (row !== undefined && row.ms > longest.longestMs) {
          longest = { longestMs: Math.round(row.ms), after: row.query.replace(/\s+/g, ' ') };
        }
        const dueMs = performance.now() + POLL_INTERVAL_MS;
        await sleep(POLL_INTERVAL_MS);
        lateMs = Math.max(lateMs, Math.round(performance.now() - dueMs));
      }
    });
  };
  const running = (async () => {
    while (!isStopping) {
      try {
        await watch();
      } catch {
        await sleep(POLL_INTERVAL_MS);
      }
    }
  })();
  return {
    stop: async () => {
      isStopping = true;
      await running;
      return { ...longest, lateMs };
    },
  };
}
