import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeWorkerUtils } from 'graphile-worker';
import PgBoss from 'pg-boss';
import { readConfig, requireServiceConfig } from '../../../shared/platform/config/config.ts';
import { makeLogger } from '../../../shared/platform/logger.ts';
import { openQueueAccess } from '../../../shared/queue/open.ts';
import { type Bounds, measure, type Sample } from '../measure/sample.ts';
import { JOB_QUEUE, type JobLibrary } from '../peers/jobs-worker.ts';
import { environmentOf, type Shape } from '../processes.ts';
import type { World } from '../world.ts';
import { type Cell, scaled } from './cell.ts';

interface JobSender {
  send(): Promise<unknown>;
  close(): Promise<unknown>;
}

const JOBS = 2_000;
const JOBS_MIN = 400;
const SENDING_AT_A_TIME = 16;
const LOOK_MS = 10;
const DONE_MS_MAX = 60_000;

interface Kind {
  readonly name: string;
  readonly library: JobLibrary;
  readonly shape: Shape;
}

const KINDS: readonly Kind[] = [
  { name: 'jobs-bullmq-redis', library: 'bullmq', shape: 'redis' },
  { name: 'jobs-bullmq-postgres', library: 'bullmq', shape: 'embedded' },
  { name: 'jobs-graphile-worker', library: 'graphile-worker', shape: 'embedded' },
  { name: 'jobs-pg-boss', library: 'pg-boss', shape: 'embedded' },
];

export const JOB_CELLS: readonly Cell[] = KINDS.map(({ name, library, shape }) => ({
  name,
  unit: 'job',
  seconds: 4,
  about:
    'Jobs that do nothing, added one by one, 16 at a time, until the last one is done by one worker process with 8 at a time.',
  measure: (world, scale, bounds) =>
    measureJobs(world, { name, library, shape }, scaled(JOBS, scale, JOBS_MIN), bounds),
}));

async function measureJobs(
  world: World,
  { name, library, shape }: Kind,
  items: number,
  bounds: Bounds,
): Promise<Sample> {
  const databaseName = name.replaceAll('-', '_');
  const database = await world.database(databaseName);
  const peer = await world.peer(`jobs-${library}`, { database: databaseName, shape });
  const sender = await openSender(library, environmentOf(shape, world.servers, database));
  try {
    const before = await readDone(peer.url);
    const jobs = items * bounds.turns;
    const sample = await measure(
      { servers: world.servers, database, watched: [peer.watched], bounds },
      async () => async () => {
        const doneBefore = await readDone(peer.url);
        const started = performance.now();
        let sent = 0;
        await Promise.all(
          Array.from({ length: SENDING_AT_A_TIME }, async () => {
            while (sent < items) {
              sent += 1;
              await sender.send();
            }
          }),
        );
        const sendingMs = performance.now() - started;
        await doneAll(peer.url, doneBefore + items);
        return {
          items,
          elapsedMs: performance.now() - started,
          figures: { addedPerSecond: (items * 1_000) / sendingMs },
        };
      },
    );
    const done = (await readDone(peer.url)) - before;
    return {
      ...sample,
      faults: [...sample.faults, ...(done === jobs ? [] : [`${jobs} jobs sent, ${done} done`])],
    };
  } finally {
    await sender.close();
  }
}

async function openSender(library: JobLibrary, environment: NodeJS.ProcessEnv): Promise<JobSender> {
  const config = requireServiceConfig(readConfig(environment));
  switch (library) {
    case 'bullmq': {
      const access = openQueueAccess(
        config,
        makeLogger({ level: 'silent', name: 'bench' }),
        'bench',
      );
      const producer = await access.producer();
      return {
        send: () => producer.enqueue([{ id: randomUUID() }]),
        close: async () => {
          await producer.close();
          await access.close();
        },
      };
    }
    case 'graphile-worker': {
      const utils = await makeWorkerUtils({ connectionString: config.databaseUrl });
      return { send: () => utils.addJob(JOB_QUEUE, {}), close: async () => utils.release() };
    }
    case 'pg-boss': {
      const boss = new PgBoss({
        connectionString: config.databaseUrl,
        supervise: false,
        schedule: false,
      });
      await boss.start();
      return {
        send: () => boss.send(JOB_QUEUE, {}),
        close: () => boss.stop({ graceful: false }),
      };
    }
    default:
      return library satisfies never;
  }
}

async function doneAll(url: string, wanted: number): Promise<void> {
  const endsAt = performance.now() + DONE_MS_MAX;
  while ((await readDone(url)) < wanted) {
    if (performance.now() > endsAt) throw new Error('the jobs were not done in time');
    await sleep(LOOK_MS);
  }
}

async function readDone(url: string): Promise<number> {
  const answer = await fetch(`${url}/done`);
  return ((await answer.json()) as { done: number }).done;
}
