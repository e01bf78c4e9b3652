import { z } from 'zod';
import { CANCELLATION_REASON_CODES } from './enums.ts';
import { ExternalTransactionId } from './transmission.ts';

/** D15. */
export const CancellationBody = z
  .object({
    externalTransactionId: ExternalTransactionId,
    policyNumber: z.string().max(64),
    cocNumber: z.string().max(64),
    cancellationEffectiveDate: z
      .string()
      .max(10)
      .describe('ISO 8601 calendar date from the earlier of issuanceDate and today, to today.'),
    reasonCode: z.string().describe(`One of ${CANCELLATION_REASON_CODES.join(', ')}.`),
    reasonText: z.string().trim().min(1).max(1000),
    supportingReference: z.string().max(128).nullish(),
  })
  .meta({ id: 'CancellationBody' });
export type CancellationBody = z.infer<typeof CancellationBody>;
