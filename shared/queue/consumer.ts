import { openWorker, type QueuePlace } from './backend.ts';
import { ImportJobData, JobData } from './job.ts';

export interface Consumer {
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

/** Resolves when the worker is ready to take jobs. A job that is not ours is dropped and reported. */
export async function openConsumer(
  name: string,
  place: QueuePlace,
  { concurrency, process, processImport, onError }: ConsumerOptions,
): Promise<Consumer> {
  const worker = openWorker(name, place, {
    concurrency,
    process: async (data) => {
      const parsed = JobData.safeParse(data);
      if (parsed.success) return process(parsed.data);
      const ofImport = ImportJobData.safeParse(data);
      if (ofImport.success && processImport !== undefined) return processImport(ofImport.data);
      onError(new Error('a job in the queue is none of this consumer'));
    },
  });
  worker.on('error', onError);
  await worker.waitUntilReady();
  return { close: () => worker.close() };
}
