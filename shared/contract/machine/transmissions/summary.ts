import { z } from 'zod';
import { TransmissionKind, TransmissionStatus } from '../../enums.ts';
import { Finding } from '../../findings.ts';
import { Timestamp } from '../acknowledgment.ts';

/** The errors of a rejected transmission that its summary names. The acknowledgment has all of them. */
export const SUMMARY_FINDINGS_MAX = 3;

/** One of the caller's own transmissions in a list (D35). */
export const TransmissionSummary = z
  .strictObject({
    transmissionReference: z.string(),
    externalTransactionId: z.string(),
    kind: TransmissionKind,
    status: TransmissionStatus,
    registryReference: z.string().nullable(),
    errorCode: z.string().nullable(),
    findings: z
      .array(Finding.pick({ level: true, code: true, field: true }))
      .max(SUMMARY_FINDINGS_MAX)
      .describe(`The first ${SUMMARY_FINDINGS_MAX} errors. The acknowledgment has all of them.`),
    policyNumber: z.string().nullable(),
    cocNumber: z.string().nullable(),
    batch: z.string().nullable(),
    receivedAt: Timestamp,
    completedAt: Timestamp.nullable().describe('Null while in progress.'),
  })
  .meta({ id: 'TransmissionSummary' });
export type TransmissionSummary = z.infer<typeof TransmissionSummary>;
