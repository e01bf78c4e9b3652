import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../../shared/db/with-client.ts';

export interface IdleWatch {
  /** The longest time that a transaction stood idle, milliseconds, and after which statement. */
  stop(): Promise<IdleTime>;
}

export interface IdleTime {
  readonly longestMs: number;
  readonly after: string;
  /** By how much this machine was late at most with what was due; it kept the workers waiting as well. */
  readonly lateMs: number;
}

const LOOK_EVERY_MS = 200;

/** Looks at the transactions of a database on a connection of its own; while there is no database it sees nothing. */
export function watchIdleTransactions(databaseUrl: string): IdleWatch {
  let isStopping = false;
  let longest = { longestMs: 0, after: '' };
  let lateMs = 0;
  const look = async (): Promise<void> => {
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
        const dueMs = performance.now() + LOOK_EVERY_MS;
        await sleep(LOOK_EVERY_MS);
        lateMs = Math.max(lateMs, Math.round(performance.now() - dueMs));
      }
    });
  };
  const running = (async () => {
    while (!isStopping) {
      try {
        await look();
      } catch {
        await sleep(LOOK_EVERY_MS);
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
