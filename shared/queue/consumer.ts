import type { z } from 'zod';
import { pause } from '../platform/repeat.ts';
import { openWorker, type QueuePlace } from './backend.ts';

export interface Consumer {
  /** Rejects while no job can be fetched from Redis. With PostgreSQL the check of the database is enough. */
  check(): Promise<void>;
  /** Fetches no further job and waits for the jobs in flight. */
  close(): Promise<void>;
}

export interface ConsumerOptions<Data> {
  /** The data of a job. */
  readonly schema: z.ZodType<Data>;
  readonly concurrency: number;
  /** Must not reject: the row decides about a retry, not the queue. */
  readonly process: (data: Data) => Promise<void>;
  readonly onError: (error: Error) => void;
}

/**
 * The library may take this long to disconnect after the last job. While a connection is being restored it would wait forever. A
 * job that is not completed in the queue by then is delivered again and finds nothing to claim.
 */
const DISCONNECT_MS_MAX = 1_000;

/** Resolves when the worker is ready for jobs. A job that doesn't match the schema is reported and dropped. */
export async function openConsumer<Data>(
  name: string,
  place: QueuePlace,
  { schema, concurrency, process, onError }: ConsumerOptions<Data>,
): Promise<Consumer> {
  const inFlight = new Set<Promise<void>>();
  const handle = async (data: unknown): Promise<void> => {
    const parsed = schema.safeParse(data);
    if (parsed.success) await process(parsed.data);
    else onError(new Error(`a job of the queue ${name} has unknown data and is dropped`));
  };
  const worker = openWorker(name, place, {
    concurrency,
    process: (data) => {
      const handling = handle(data).finally(() => inFlight.delete(handling));
      inFlight.add(handling);
      return handling;
    },
  });
  worker.on('error', onError);
  await worker.waitUntilReady();
  const untilDisconnectedOrLate = async (closed: AbortSignal): Promise<void> => {
    do {
      await Promise.all(inFlight);
      await pause(DISCONNECT_MS_MAX, closed);
    } while (inFlight.size > 0 && !closed.aborted);
  };
  return {
    check: async () => {
      if (place.kind === 'redis') await checkWriting(place);
    },
    close: async () => {
      const closed = new AbortController();
      const closing = worker.close().finally(() => closed.abort());
      await Promise.race([closing, untilDisconnectedOrLate(closed.signal)]);
    },
  };
}

const PROBE_KEPT_SECONDS = 60;

/** Fetching a job is a write: a server that answers may still be a replica, or full. */
async function checkWriting({
  redis,
  prefix,
}: Extract<QueuePlace, { kind: 'redis' }>): Promise<void> {
  // Otherwise the command would wait for the connection, and each check would leave one behind.
  if (redis.status !== 'ready') throw new Error(`the connection to Redis is ${redis.status}`);
  await redis.set(`${prefix}:probe:queue`, '1', 'EX', PROBE_KEPT_SECONDS);
}
