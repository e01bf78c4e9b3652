import express, { type Express } from 'express';
import { run } from 'graphile-worker';
import PgBoss from 'pg-boss';
import type { ServiceConfig } from '../../../shared/platform/config/config.ts';
import { makeLogger } from '../../../shared/platform/logger.ts';
import { openQueueAccess } from '../../../shared/queue/open.ts';

/** Job libraries; BullMQ is used as the registry uses it, on Redis or PostgreSQL as the configuration says. */
export const JOB_LIBRARIES = ['bullmq', 'graphile-worker', 'pg-boss'] as const;
export type JobLibrary = (typeof JOB_LIBRARIES)[number];

/** Jobs at a time: those of both workers of `npm start` together. */
const CONCURRENCY = 8;
const POLL_MS = 500;
export const JOB_QUEUE = 'noop';

/** A worker whose jobs do nothing; `/done` says how many it has done. */
export async function makeJobsApp(library: JobLibrary, config: ServiceConfig): Promise<Express> {
  let done = 0;
  await WORKERS[library](config, () => {
    done += 1;
  });
  const app = express();
  app.get('/done', (_request, response) => {
    response.json({ done });
  });
  return app;
}

const WORKERS: Readonly<
  Record<JobLibrary, (config: ServiceConfig, onJob: () => void) => Promise<unknown>>
> = {
  bullmq: (config, onJob) =>
    openQueueAccess(config, makeLogger({ level: 'silent', name: 'bench' }), 'bench').consumer({
      concurrency: CONCURRENCY,
      process: async () => onJob(),
    }),
  'graphile-worker': ({ databaseUrl }, onJob) =>
    run({
      connectionString: databaseUrl,
      concurrency: CONCURRENCY,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      taskList: { [JOB_QUEUE]: async () => onJob() },
    }),
  'pg-boss': async ({ databaseUrl }, onJob) => {
    const boss = new PgBoss(databaseUrl);
    await boss.start();
    await boss.createQueue(JOB_QUEUE);
    // It has no wake-up: each loop asks at its interval and takes up to a batch.
    for (let started = 0; started < CONCURRENCY; started += 1) {
      await boss.work(
        JOB_QUEUE,
        { pollingIntervalSeconds: POLL_MS / 1_000, batchSize: 100 },
        async (jobs) => {
          for (const _job of jobs) onJob();
        },
      );
    }
  },
};
