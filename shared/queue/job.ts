import type { BulkJobOptions } from 'bullmq';
import { z } from 'zod';

/** A job is a wake-up: the row is the truth and holds everything else (D2). `requestId` is for the log (D24). */
export const JobData = z.strictObject({ id: z.guid(), requestId: z.string().optional() });
export type JobData = z.infer<typeof JobData>;

/** The wake-up for an import of reference data; in the same queue, told apart by its member. */
export const ImportJobData = z.strictObject({
  importId: z.guid(),
  requestId: z.string().optional(),
});
export type ImportJobData = z.infer<typeof ImportJobData>;

export const JOB_NAME = 'transmission';
export const IMPORT_JOB_NAME = 'reference-import';

/**
 * One waiting job a transmission and taking at most. An add whose id still exists is ignored silently, finished or
 * failed alike: so finished jobs are removed at once, and the row decides about another try, not the queue. The job of a
 * worker that died stays under its id for a while; `takings`, how often the row was taken, keeps it from
 * swallowing the next wake-up. How long it stays is decided by the clocks of workers, which may be wrong by a day: `urgency`,
 * which grows while the row waits, ends that.
 */
export function jobOptions(id: string, takings = 0, urgency = 0): BulkJobOptions {
  const name = urgency === 0 ? `t-${id}` : `t-${id}-u${urgency}`;
  return optionsOf(takings === 0 ? name : `${name}-${takings}`);
}

/** The same for an import, whose second wake-up never comes from the queue. */
export function importJobOptions(id: string): BulkJobOptions {
  return optionsOf(`i-${id}`);
}

function optionsOf(jobId: string): BulkJobOptions {
  return { jobId, attempts: 1, removeOnComplete: true, removeOnFail: true };
}
