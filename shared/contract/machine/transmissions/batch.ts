import { z } from 'zod';
import type { TransmissionStatus } from '../../enums.ts';
import { Timestamp } from '../acknowledgment.ts';
import type { Endpoint } from '../endpoints.ts';

/** The sender's name for transmissions that belong together (D35). */
export const BatchName = z
  .string()
  .regex(
    /^[A-Za-z0-9._:-]{8,64}$/,
    'Expected 8 to 64 letters, digits, dots, underscores, colons or hyphens.',
  );

/** The query of every endpoint that records a transmission. */
export const SubmissionQuery = z.object({
  batch: BatchName.optional().describe(
    'Names the batch that this transmission belongs to. It is not part of the request: a replay keeps the first name.',
  ),
});

const count = z.int().min(0);

export const BatchStatus = z
  .strictObject({
    batch: z.string(),
    total: count,
    byStatus: z.strictObject({
      RECEIVED: count,
      VALIDATING: count,
      ACCEPTED: count,
      FLAGGED: count,
      REJECTED: count,
    } satisfies Record<TransmissionStatus, z.ZodInt>),
    byErrorCode: z
      .record(z.string(), count)
      .describe('The rejected transmissions by the error code of their answer.'),
    firstReceivedAt: Timestamp,
    lastCompletedAt: Timestamp.nullable().describe('Null until a transmission is completed.'),
    estimatedCompletionAt: Timestamp.nullable().describe(
      'An estimate from all the work that your organization has waiting and the rate of the workers. Null when nothing is in progress, or when no worker runs.',
    ),
  })
  .meta({ id: 'BatchStatus' });
export type BatchStatus = z.infer<typeof BatchStatus>;

export const READ_BATCH = {
  method: 'GET',
  path: '/ppai/batches/{batch}',
  authentication: 'signed',
  scope: 'ppai:read',
  summary: 'Read the progress of a batch',
  description:
    'Counts the transmissions of your own organization that were sent with this `batch` name.',
  params: z.object({ batch: BatchName }),
  replies: { 200: { description: 'The progress of the batch.', data: BatchStatus } },
  errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
} as const satisfies Endpoint;
