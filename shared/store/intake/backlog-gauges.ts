import type { Db } from '../../db/prisma.ts';
import type { Config } from '../../platform/config/config.ts';
import { loadTargetOf, workersWanted } from '../../platform/config/workers-wanted.ts';
import { backlogMeasured, type EventDeps } from '../../platform/events.ts';
import { shareLooks } from '../../platform/stale-while-revalidate.ts';
import { PROBE_MS_MAX, withTimeout } from '../../platform/with-timeout.ts';
import { isStalled, readBacklog } from './backlog.ts';

/** To count a long backlog costs the database more than anything that is asked as often. */
const LOOK_AGAIN_MS = 1_000;

export interface BacklogGaugesOptions extends EventDeps {
  readonly db: Db;
  readonly config: Pick<Config, 'backlogDrainSeconds' | 'workerRatePerSecond'>;
}

/**
 * Brings the gauges of the backlog up to date, for who is about to publish them: what nobody asks for is not counted.
 * They tell the last known state when the database is out of reach or too slow. Never rejects.
 */
export function makeBacklogGauges({
  db,
  config,
  logger,
  metrics,
}: BacklogGaugesOptions): () => Promise<void> {
  const look = shareLooks(() => readBacklog(db), LOOK_AGAIN_MS);
  return async () => {
    try {
      // Who collects them would lose all the others with these.
      const backlog = await withTimeout(PROBE_MS_MAX, look());
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
