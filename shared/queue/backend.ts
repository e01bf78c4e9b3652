import {
  type BulkJobOptions,
  createPostgresBackend,
  type JobType,
  Queue,
  type QueueOptions,
  Worker,
  withBackend,
} from 'bullmq';
import type { Redis } from 'ioredis';
import { sessionConfig } from '../db/postgres-session.ts';
import { outliveUnheardErrors } from '../db/unheard-errors.ts';
import { WatchedClient } from '../db/watched-client.ts';
import type { ImportJobData, JobData } from './job.ts';
import { QUEUE_SCHEMA } from './migrate.ts';

/** Where the queue lives (D1): Redis when there is one, else the system of record. */
export type QueuePlace =
  | { readonly kind: 'redis'; readonly redis: Redis; readonly prefix: string }
  | { readonly kind: 'postgres'; readonly databaseUrl: string; readonly poolMax: number };

type AnyJobData = JobData | ImportJobData;

/** What is used of a BullMQ queue, on either backend. */
export interface TransmissionQueue {
  add(name: string, data: AnyJobData, opts: BulkJobOptions): Promise<unknown>;
  addBulk(jobs: { name: string; data: AnyJobData; opts: BulkJobOptions }[]): Promise<unknown>;
  getJobCounts(...types: JobType[]): Promise<Record<string, number>>;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** What is used of a BullMQ worker, on either backend. */
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
 * A job that is not renewed this long counts as abandoned and is handed out again, once. Short, because until then a
 * job whose worker died before it took the transmission swallows every wake-up that the sweeper sends.
 */
const LOCK_DURATION_MS = 5_000;
/** Between two looks for abandoned jobs; it takes two to find one. */
const STALLED_INTERVAL_MS = 5_000;
/** The wait for a job ends at least this often, so that a lost notification delays little (seconds). */
const DRAIN_DELAY_SECONDS = 5;
/** After a lost connection the library pauses so long before it fetches again, and nothing wakes it, not even the end of the process. */
const RUN_RETRY_DELAY_MS = 500;

export function openQueue(name: string, place: QueuePlace): TransmissionQueue {
  if (place.kind === 'redis') {
    return new Queue<AnyJobData>(name, redisOptions(place));
  }
  const { Queue: PostgresQueue } = withBackend(createPostgresBackend);
  return new PostgresQueue<AnyJobData>(name, { connection: connectionOf(place) });
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
    connection: connectionOf(place),
    ...options,
  });
}

function redisOptions({ redis, prefix }: Extract<QueuePlace, { kind: 'redis' }>): QueueOptions {
  return { connection: redis, prefix: `${prefix}:queue` };
}

function connectionOf({ databaseUrl, poolMax }: Extract<QueuePlace, { kind: 'postgres' }>) {
  outliveUnheardErrors();
  return {
    Client: WatchedClient,
    // The library adds its own search_path, which counts because it comes last.
    ...sessionConfig(databaseUrl, { applicationName: 'queue' }),
    max: poolMax,
    schema: QUEUE_SCHEMA,
  };
}
