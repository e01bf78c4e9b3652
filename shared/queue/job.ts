import type { BulkJobOptions } from 'bullmq';
import { z } from 'zod';

/** A job is a wake-up: the row is the truth and holds everything else (D2). `requestId` is for the log (D24). */
export const JobData = z.strictObject({ id: z.guid(), requestId: z.string().optional() });
export type JobData = z.infer<typeof JobData>;

export const JOB_NAME = 'transmission';

/**
 * One waiting job a transmission at most. An add whose id still exists is ignored silently, finished or
 * failed alike: so finished jobs are removed at once, and the row decides about another try, not the queue.
 */
export function jobOptions(id: string): BulkJobOptions {
  return { jobId: `t-${id}`, attempts: 1, removeOnComplete: true, removeOnFail: true };
}
