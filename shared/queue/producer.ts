import type { QueuePlace } from './backend.ts';
import { openQueue } from './backend.ts';
import { IMPORT_JOB_NAME, importJobOptions, JOB_NAME, jobOptions } from './job.ts';

export interface Enqueued {
  readonly id: string;
  readonly requestId?: string;
  /** How often it was taken already; never when left out. */
  readonly takings?: number;
  /** Grows while it waits; 0 when left out. */
  readonly urgency?: number;
}

export interface Producer {
  /** Wakes the workers; adding one that is already waiting changes nothing. Rejects when the queue is out of reach. */
  enqueue(transmissions: readonly Enqueued[]): Promise<void>;
  /** Wakes a worker for an import of reference data, in the same way. */
  enqueueImport(reference: Pick<Enqueued, 'id' | 'requestId'>): Promise<void>;
  /** Jobs that wait or run; rejects when the queue is out of reach. */
  depth(): Promise<number>;
  close(): Promise<void>;
}

/** For fewer, PostgreSQL does better with single additions: a bulk one makes temporary tables. */
const BULK_MIN = 16;

/** Resolves when the queue answers. `onError` hears of every trouble of the connection. */
export async function openProducer(
  name: string,
  place: QueuePlace,
  onError: (error: Error) => void,
): Promise<Producer> {
  const queue = openQueue(name, place);
  queue.on('error', onError);
  await queue.waitUntilReady();
  return {
    enqueue: async (transmissions) => {
      const jobs = transmissions.map(({ takings = 0, urgency = 0, ...data }) => ({
        name: JOB_NAME,
        data,
        opts: jobOptions(data.id, takings, urgency),
      }));
      if (jobs.length >= BULK_MIN) await queue.addBulk(jobs);
      else await Promise.all(jobs.map(({ name: job, data, opts }) => queue.add(job, data, opts)));
    },
    enqueueImport: async ({ id, requestId }) => {
      const data = { importId: id, ...(requestId === undefined ? {} : { requestId }) };
      await queue.add(IMPORT_JOB_NAME, data, importJobOptions(id));
    },
    depth: async () => {
      const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    close: () => queue.close(),
  };
}
