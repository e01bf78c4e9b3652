import { z } from 'zod';
import { CANCELLATION_REASON_CODES } from '../enums.ts';
import { comparedText, text } from '../text.ts';
import { ExternalTransactionId } from './transmission.ts';

/** D15. */
export const CancellationBody = z
  .object({
    externalTransactionId: ExternalTransactionId,
    // An old record may have a number with characters that are refused today (D31). So any character passes here, and the
    // handler refuses a number that is not the record's.
    policyNumber: comparedText(64),
    cocNumber: comparedText(64),
    cancellationEffectiveDate: text(10, { isVisible: true }).describe(
      'ISO 8601 calendar date from the earlier of issuanceDate and today, to today.',
    ),
    reasonCode: text(undefined, { isVisible: true }).describe(
      `One of ${CANCELLATION_REASON_CODES.join(', ')}.`,
    ),
    reasonText: text(1000, { lines: 'several', isVisible: true }).trim().min(1),
    supportingReference: text(128).nullish(),
  })
  .meta({ id: 'CancellationBody' });
export type CancellationBody = z.infer<typeof CancellationBody>;
