import { pause } from '../platform/repeat.ts';
import { openWorker, type QueuePlace } from './backend.ts';
import { ImportJobData, JobData } from './job.ts';

export interface Consumer {
  /** Rejects while nothing can be taken from Redis; with PostgreSQL the database tells. */
  check(): Promise<void>;
  /** Takes no further job and waits for those in hand. */
  close(): Promise<void>;
}

export interface ConsumerOptions {
  readonly concurrency: number;
  /** Must not reject: whether a transmission is tried again is decided by its row. */
  readonly process: (data: JobData) => Promise<void>;
  /** Must not reject either. A consumer without it reports and drops such a job; the sweeper sends another. */
  readonly processImport?: (data: ImportJobData) => Promise<void>;
  readonly onError: (error: Error) => void;
}

/**
 * After the last job in hand the library has so long to disconnect. Where a connection is just being restored it waits for an
 * end that never comes; what is not signed off in the queue then is delivered again and finds nothing to take.
 */
const DISCONNECT_MS_MAX = 1_000;

/** Resolves when the worker is ready to take jobs. A job that is not ours is dropped and reported. */
export async function openConsumer(
  name: string,
  place: QueuePlace,
  { concurrency, process, processImport, onError }: ConsumerOptions,
): Promise<Consumer> {
  const inHand = new Set<Promise<void>>();
  const handle = async (data: unknown): Promise<void> => {
    const parsed = JobData.safeParse(data);
    if (parsed.success) return process(parsed.data);
    const ofImport = ImportJobData.safeParse(data);
    if (ofImport.success && processImport !== undefined) return processImport(ofImport.data);
    onError(new Error('a job in the queue is none of this consumer'));
  };
  const worker = openWorker(name, place, {
    concurrency,
    process: (data) => {
      const handling = handle(data).finally(() => inHand.delete(handling));
      inHand.add(handling);
      return handling;
    },
  });
  worker.on('error', onError);
  await worker.waitUntilReady();
  const untilGivenUp = async (closed: AbortSignal): Promise<void> => {
    do {
      await Promise.all(inHand);
      await pause(DISCONNECT_MS_MAX, closed);
    } while (inHand.size > 0 && !closed.aborted);
  };
  return {
    check: async () => {
      if (place.kind === 'redis') await checkTaking(place);
    },
    close: async () => {
      const closed = new AbortController();
      const closing = worker.close().finally(() => closed.abort());
      await Promise.race([closing, untilGivenUp(closed.signal)]);
    },
  };
}

const PROBE_KEPT_SECONDS = 60;

/** Taking a job is a write: a server that only answers may be a replica, or full. */
async function checkTaking({
  redis,
  prefix,
}: Extract<QueuePlace, { kind: 'redis' }>): Promise<void> {
  // A command would wait for the connection, and one would be left behind by each check.
  if (redis.status !== 'ready') throw new Error(`the connection to Redis is ${redis.status}`);
  await redis.set(`${prefix}:probe:queue`, '1', 'EX', PROBE_KEPT_SECONDS);
}
