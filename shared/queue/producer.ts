import { openQueue, type QueuePlace } from './backend.ts';
import { IMPORT_JOB_NAME, importJobOptions, importQueueName, JOB_NAME, jobOptions } from './job.ts';

export interface Enqueued {
  readonly id: string;
  readonly requestId?: string;
  /** The number of claims of the transmission so far; 0 unless given. */
  readonly attempts?: number;
  /** Only for the sweeper: see `jobOptions`. */
  readonly period?: number;
}

export interface Producer {
  /** Adds a job for each transmission; a job that is waiting already stays. Rejects when the queue is out of reach. */
  enqueue(transmissions: readonly Enqueued[]): Promise<void>;
  /** Adds a job for an import of reference data to the queue of imports. */
  enqueueImport(reference: Pick<Enqueued, 'id' | 'requestId'>): Promise<void>;
  /** Jobs of transmissions that wait or run; rejects when the queue is out of reach. */
  depth(): Promise<number>;
  close(): Promise<void>;
}

/** For fewer jobs PostgreSQL is faster with single additions, because a bulk addition creates temporary tables. */
const BULK_MIN = 16;

/** Resolves when the queue answers. `onError` receives every error of the connection. */
export async function openProducer(
  name: string,
  place: QueuePlace,
  onError: (error: Error) => void,
): Promise<Producer> {
  const queue = openQueue(name, place);
  const imports = openQueue(importQueueName(name), place);
  for (const one of [queue, imports]) {
    one.on('error', onError);
    await one.waitUntilReady();
  }
  return {
    enqueue: async (transmissions) => {
      const jobs = transmissions.map(({ id, requestId, attempts, period }) => ({
        name: JOB_NAME,
        data: requestId === undefined ? { id } : { id, requestId },
        opts: jobOptions(id, attempts, period),
      }));
      if (jobs.length >= BULK_MIN) await queue.addBulk(jobs);
      else await Promise.all(jobs.map(({ name: job, data, opts }) => queue.add(job, data, opts)));
    },
    enqueueImport: async ({ id, requestId }) => {
      const data = { importId: id, ...(requestId === undefined ? {} : { requestId }) };
      await imports.add(IMPORT_JOB_NAME, data, importJobOptions(id));
    },
    depth: async () => {
      const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    close: async () => void (await Promise.all([queue.close(), imports.close()])),
  };
}
