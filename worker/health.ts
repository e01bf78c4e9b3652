import type { Health } from '../shared/platform/health-server.ts';
import { makeReadiness, OK } from '../shared/platform/readiness.ts';
import { PROBE_MS_MAX, withTimeout } from '../shared/platform/with-timeout.ts';
import { checkDatabase, checkProcessing } from '../shared/store/health-checks.ts';
import { makeBacklogGauges } from '../shared/store/intake/backlog-gauges.ts';
import type { WorkerContext } from './context.ts';

/**
 * Far above what a batch and those before it take on a slow database: a worker that is late is not restarted, one that
 * stands still is. Others take over what it holds when its lease ends, whether it is restarted or not.
 */
export const BATCH_MS_MAX = 600_000;

export type HealthContext = Pick<
  WorkerContext,
  'db' | 'metrics' | 'config' | 'logger' | 'batches' | 'isStopping'
> & {
  /** Rejects while the worker cannot fetch from the queue. */
  readonly checkQueue: () => Promise<void>;
};

/** A worker is ready when it can fetch and commit (D60). */
export function makeWorkerHealth(context: HealthContext): Health {
  const { db, metrics, batches, logger, checkQueue, isStopping } = context;
  return {
    isLive: () => batches.underWayMs() <= BATCH_MS_MAX,
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
