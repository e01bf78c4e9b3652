import { randomUUID } from 'node:crypto';
import { openDb } from '../shared/db/prisma.ts';
import type { Clock } from '../shared/platform/clock.ts';
import type { ServiceConfig } from '../shared/platform/config/config.ts';
import type { Logger } from '../shared/platform/logger.ts';
import type { Metrics } from '../shared/platform/metrics.ts';
import { repeat } from '../shared/platform/repeat.ts';
import { makeKeyring } from '../shared/platform/secrets/sealing.ts';
import { openQueueAccess } from '../shared/queue/open.ts';
import { forgetWorker, reportWorker } from '../shared/store/intake/backlog.ts';
import type { WorkerContext } from './context.ts';
import { drain } from './drain.ts';
import { HISTORY_INTERVAL_MS, makeHistoryPass } from './passes/history.ts';
import { SHOW_POOLS_INTERVAL_MS, showPoolsOnce } from './passes/show-pools.ts';
import {
  IMPORT_SWEEP_INTERVAL_MS,
  importReference,
  sweepImportsOnce,
} from './reference-import/import-reference.ts';
import { failureReason } from './retry-policy.ts';
import { makeStats } from './stats.ts';
import { SWEEP_INTERVAL_MS, sweepOnce } from './sweeper.ts';

export interface WorkerOptions {
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface RunningWorker {
  readonly context: WorkerContext;
  /** Rejects while it cannot fetch from the queue. */
  checkQueue(): Promise<void>;
  /** Claims nothing more, finishes the batches in flight, then disconnects. */
  close(): Promise<void>;
}

const REPORT_INTERVAL_MS = 2_000;

/** The database and the queue must be migrated and reachable. Later outages are waited out. */
export async function startWorker({
  config,
  clock,
  logger,
  metrics,
}: WorkerOptions): Promise<RunningWorker> {
  const id = randomUUID();
  let stopping = false;
  const db = openDb({
    databaseUrl: config.databaseUrl,
    poolMax: config.databasePoolMax,
    applicationName: 'registry-worker',
    plansOnce: true,
  });
  const access = openQueueAccess(config, logger, 'worker');
  const producer = await access.producer();
  const completions = await access.publisher();
  const context: WorkerContext = {
    config,
    clock,
    logger,
    metrics,
    db,
    keyring: makeKeyring(config.encryptionKeys),
    producer,
    completions,
    stats: makeStats(),
    isStopping: () => stopping,
  };
  const onError = (error: unknown) =>
    logger.warn({ reason: failureReason(error) }, 'a background pass failed and will be repeated');
  const consumer = await access.consumer({
    concurrency: config.workerConcurrency,
    process: (job) => drain(context, job),
  });
  const importConsumer = await access.importConsumer({
    concurrency: 1,
    process: (job) => importReference(context, job),
  });
  const sweeping = repeat(async () => void (await sweepOnce(context)), {
    everyMs: SWEEP_INTERVAL_MS,
    onError,
  });
  const sweepingImports = repeat(() => sweepImportsOnce(context), {
    everyMs: IMPORT_SWEEP_INTERVAL_MS,
    onError,
  });
  const showingPools = repeat(() => showPoolsOnce(context), {
    everyMs: SHOW_POOLS_INTERVAL_MS,
    onError,
  });
  const reporting = repeat(() => reportWorker(db, { id, ...context.stats.read() }), {
    everyMs: REPORT_INTERVAL_MS,
    onError,
  });
  const recording = repeat(makeHistoryPass(context), { everyMs: HISTORY_INTERVAL_MS, onError });
  return {
    context,
    checkQueue: async () => void (await Promise.all([consumer.check(), producer.depth()])),
    close: async () => {
      stopping = true;
      await sweeping.stop();
      // A pass may be running an import. Close the consumers at the same time, so that they fetch no more jobs meanwhile.
      await Promise.all([sweepingImports.stop(), consumer.close(), importConsumer.close()]);
      await showingPools.stop();
      await recording.stop();
      await reporting.stop();
      await forgetWorker(db, id).catch(onError);
      await completions.close();
      await producer.close();
      await access.close();
      await db.$disconnect();
    },
  };
}
