import {
  type BulkJobOptions,
  createPostgresBackend,
  type JobType,
  type PostgresConnection,
  Queue,
  type QueueOptions,
  Worker,
  withBackend,
} from 'bullmq';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import type { ImportJobData, JobData } from './job.ts';

/** Where the queue is (D1): in Redis if it is configured, otherwise in PostgreSQL. */
export type QueuePlace =
  | { readonly kind: 'redis'; readonly redis: Redis; readonly prefix: string }
  | { readonly kind: 'postgres'; readonly pool: Pool };

type AnyJobData = JobData | ImportJobData;

/** The part of a BullMQ queue that the service uses, on either backend. */
export interface TransmissionQueue {
  add(name: string, data: AnyJobData, opts: BulkJobOptions): Promise<unknown>;
  addBulk(jobs: { name: string; data: AnyJobData; opts: BulkJobOptions }[]): Promise<unknown>;
  getJobCounts(...types: JobType[]): Promise<Record<string, number>>;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The part of a BullMQ worker that the service uses, on either backend. */
export interface TransmissionWorker {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface WorkerSettings {
  readonly concurrency: number;
  readonly process: (data: unknown) => Promise<void>;
}

/**
 * BullMQ hands out a job again, once, if its worker doesn't renew it for this long. Short, because until then the job of a worker
 * that died before its claim swallows the jobs that the sweeper adds under the same id.
 */
const LOCK_DURATION_MS = 5_000;
/** The pause between two checks for abandoned jobs; finding one takes two checks. */
const STALLED_INTERVAL_MS = 5_000;
/** The longest wait for a notification of a new job, seconds; then the worker looks for jobs by itself. */
const DRAIN_DELAY_SECONDS = 5;
/** The pause of the library after a lost connection. Nothing interrupts it, not even the end of the process. */
const RUN_RETRY_DELAY_MS = 500;

export function openQueue(name: string, place: QueuePlace): TransmissionQueue {
  if (place.kind === 'redis') {
    return new Queue<AnyJobData>(name, redisOptions(place));
  }
  const { Queue: PostgresQueue } = withBackend(createPostgresBackend);
  return new PostgresQueue<AnyJobData>(name, { connection: poolOf(place) });
}

export function openWorker(
  name: string,
  place: QueuePlace,
  { concurrency, process }: WorkerSettings,
): TransmissionWorker {
  const run = (job: { data: unknown }) => process(job.data);
  const options = {
    concurrency,
    lockDuration: LOCK_DURATION_MS,
    stalledInterval: STALLED_INTERVAL_MS,
    drainDelay: DRAIN_DELAY_SECONDS,
    runRetryDelay: RUN_RETRY_DELAY_MS,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
  if (place.kind === 'redis') {
    return new Worker<AnyJobData, void>(name, run, { ...redisOptions(place), ...options });
  }
  const { Worker: PostgresWorker } = withBackend(createPostgresBackend);
  return new PostgresWorker<AnyJobData, void>(name, run, {
    connection: poolOf(place),
    ...options,
  });
}

function redisOptions({ redis, prefix }: Extract<QueuePlace, { kind: 'redis' }>): QueueOptions {
  return { connection: redis, prefix: `${prefix}:queue` };
}

/** BullMQ documents that it takes a `pg.Pool`; only its types of listeners differ from those of pg. */
function poolOf({ pool }: Extract<QueuePlace, { kind: 'postgres' }>): PostgresConnection['pool'] {
  return pool as unknown as PostgresConnection['pool'];
}
