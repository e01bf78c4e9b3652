import type { Health } from '../shared/platform/health-server.ts';
import { makeReadiness, OK } from '../shared/platform/readiness.ts';
import { PROBE_MS_MAX, withTimeout } from '../shared/platform/with-timeout.ts';
import { checkDatabase, checkProcessing } from '../shared/store/health-checks.ts';
import { makeBacklogGauges } from '../shared/store/intake/backlog-gauges.ts';
import type { WorkerContext } from './context.ts';

/** Far longer than a batch takes on a slow database, so that only a worker that stands still is restarted. */
export const BATCH_MS_MAX = 600_000;

export type HealthContext = Pick<
  WorkerContext,
  'db' | 'metrics' | 'config' | 'logger' | 'stats' | 'isStopping'
> & {
  /** Rejects while the worker cannot fetch from the queue. */
  readonly checkQueue: () => Promise<void>;
};

/** A worker is ready when it can fetch and commit (D60). */
export function makeWorkerHealth(context: HealthContext): Health {
  const { db, metrics, stats, logger, checkQueue, isStopping } = context;
  return {
    isLive: () => stats.oldestBatchMs() <= BATCH_MS_MAX,
    readiness: makeReadiness({
      required: {
        database: () => checkDatabase(db),
        queue: () => checkQueue().then(() => OK),
      },
      isEnding: isStopping,
      logger,
    }),
    processing: () => withTimeout(PROBE_MS_MAX, checkProcessing(db)),
    measure: makeBacklogGauges(context),
    metrics,
  };
}
