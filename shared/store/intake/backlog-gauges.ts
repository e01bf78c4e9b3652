import type { Db } from '../../db/prisma.ts';
import type { Config } from '../../platform/config/config.ts';
import { loadTargetOf, workersWanted } from '../../platform/config/workers-wanted.ts';
import { backlogMeasured, type EventDeps } from '../../platform/events.ts';
import { staleWhileRevalidate } from '../../platform/stale-while-revalidate.ts';
import { PROBE_MS_MAX, withTimeout } from '../../platform/with-timeout.ts';
import { isStalled, readBacklog } from './backlog.ts';

/** Counting a long backlog is the most expensive of the queries that run this often. */
const REFRESH_MS = 1_000;

export interface BacklogGaugesOptions extends EventDeps {
  readonly db: Db;
  readonly config: Pick<Config, 'backlogDrainSeconds' | 'workerRatePerSecond'>;
}

/**
 * Returns a function that updates the gauges of the backlog; call it before they are published. If the database is out of reach
 * or too slow, they keep their last values. Never rejects.
 */
export function makeBacklogGauges({
  db,
  config,
  logger,
  metrics,
}: BacklogGaugesOptions): () => Promise<void> {
  const read = staleWhileRevalidate(() => readBacklog(db), { refreshMs: REFRESH_MS });
  return async () => {
    try {
      // A collector must not lose all other metrics because of these.
      const backlog = await withTimeout(PROBE_MS_MAX, read());
      const { waiting: depth, oldestSeconds, parked } = backlog;
      const wanted = workersWanted(backlog, loadTargetOf(config));
      backlogMeasured(
        { logger, metrics },
        { depth, oldestSeconds, parked, workersWanted: wanted, isStalled: isStalled(backlog) },
      );
    } catch (err) {
      logger.warn({ err }, 'backlog could not be measured');
    }
  };
}
