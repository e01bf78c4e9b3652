import { z } from 'zod';
import { TERMINAL_STATUSES } from '../../enums.ts';
import { ERROR_CODES } from '../../errors.ts';
import { Finding } from '../../findings.ts';
import { AcknowledgmentFlag, ReferenceMatch, Timestamp } from '../acknowledgment.ts';
import type { Endpoint } from '../endpoints.ts';
import { ExternalTransactionId, TransmissionBody } from '../transmission.ts';

/** The body of a transmission. Its id may be missing, because a dry run does not use it up (D38). */
export const ValidationBody = TransmissionBody.extend({
  externalTransactionId: ExternalTransactionId.optional(),
}).meta({ id: 'ValidationBody' });
export type ValidationBody = z.infer<typeof ValidationBody>;

/** D38. All members are always present. */
export const ValidationResult = z
  .strictObject({
    outcome: z.enum(TERMINAL_STATUSES),
    errorCode: z.enum(ERROR_CODES).nullable().describe('Null unless the outcome is REJECTED.'),
    errors: z.array(Finding),
    warnings: z.array(Finding),
    flags: z.array(AcknowledgmentFlag),
    referenceMatches: z.array(ReferenceMatch),
    ruleSetId: z.uuid().describe('The rule set that decided.'),
    evaluatedAt: Timestamp,
    disclaimer: z.string(),
  })
  .meta({ id: 'ValidationResult' });
export type ValidationResult = z.infer<typeof ValidationResult>;

export const VALIDATE_TRANSMISSION = {
  method: 'POST',
  path: '/ppai/policies/validation',
  authentication: 'signed',
  scope: 'ppai:transmit',
  summary: 'Try a transmission without sending it',
  description:
    'A dry run: answers what the transmission of this body would lead to at this moment, and registers nothing. Always 200 when the body was evaluated, also for the outcome REJECTED. externalTransactionId is optional; the dry run checks its form, and you can still transmit under it. Counts as one request.',
  body: ValidationBody,
  replies: { 200: { description: 'The outcome and all findings.', data: ValidationResult } },
  errors: ['VALIDATION_FAILED'],
} as const satisfies Endpoint;
