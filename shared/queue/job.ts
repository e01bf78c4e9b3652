import type { BulkJobOptions } from 'bullmq';
import { z } from 'zod';

/** A job only names a transmission: the row is the truth and holds everything else (D2). `requestId` is for the log (D24). */
export const JobData = z.strictObject({ id: z.guid(), requestId: z.string().optional() });
export type JobData = z.infer<typeof JobData>;

/** A job that names an import of reference data. */
export const ImportJobData = z.strictObject({
  importId: z.guid(),
  requestId: z.string().optional(),
});
export type ImportJobData = z.infer<typeof ImportJobData>;

export const JOB_NAME = 'transmission';
export const IMPORT_JOB_NAME = 'reference-import';

/** The queue of imports, beside the queue of transmissions: an import takes minutes. */
export function importQueueName(queueName: string): string {
  return `${queueName}-imports`;
}

/**
 * BullMQ silently ignores a job whose id exists already, even a failed or finished one. So finished jobs are removed at once, and
 * the row decides about a retry, not the queue. The job of a dead worker keeps its id for a while; the number of attempts in the
 * id keeps it from swallowing the job of the next attempt. How long it keeps the id depends on the clocks of workers, which may
 * be wrong by a day; so the sweeper's jobs also carry `period`, which grows with the age of the transmission.
 */
export function jobOptions(id: string, attempts = 0, period = 0): BulkJobOptions {
  return optionsOf(period === 0 ? `t-${id}-${attempts}` : `t-${id}-${attempts}-${period}`);
}

export function importJobOptions(id: string): BulkJobOptions {
  return optionsOf(`i-${id}`);
}

function optionsOf(jobId: string): BulkJobOptions {
  return { jobId, attempts: 1, removeOnComplete: true, removeOnFail: true };
}
