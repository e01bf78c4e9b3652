import { z } from 'zod';
import {
  CoverageStatus,
  FlagType,
  ReferenceMatchResult,
  TransmissionKind,
  TransmissionStatus,
} from '../enums.ts';
import { Finding } from '../findings.ts';

/** api.md, "What the service does", rule 3. */
export const DISCLAIMER =
  'ACCEPTED means only that the record was accepted as an electronic transmission. ' +
  'It is not a guarantee of the legal validity of the underlying insurance policy.';

export const Timestamp = z.iso.datetime({ offset: true });

export const AcknowledgmentFlag = z
  .strictObject({
    type: FlagType,
    message: z.string(),
    relatedRegistryReference: z.string().nullable(),
    plateNumber: z.string().nullable(),
  })
  .meta({ id: 'AcknowledgmentFlag' });
export type AcknowledgmentFlag = z.infer<typeof AcknowledgmentFlag>;

export const ReferenceMatch = z
  .strictObject({ plateNumber: z.string().nullable(), result: ReferenceMatchResult })
  .meta({ id: 'ReferenceMatch' });
export type ReferenceMatch = z.infer<typeof ReferenceMatch>;

/** api.md, "Acknowledgment". All members are always present. */
export const Acknowledgment = z
  .strictObject({
    status: TransmissionStatus,
    transmissionReference: z.string(),
    transactionReference: z.string().nullable(),
    registryReference: z.string().nullable(),
    externalTransactionId: z.string(),
    kind: TransmissionKind,
    policyNumber: z.string().nullable(),
    certificateOfCover: z.string().nullable(),
    plateNumber: z.string().nullable(),
    plateNumbers: z.array(z.string()),
    coverageStatus: CoverageStatus.nullable(),
    version: z.int().min(1).nullable(),
    receivedAt: Timestamp,
    replayed: z.boolean(),
    warnings: z.array(Finding),
    errors: z.array(Finding),
    flags: z.array(AcknowledgmentFlag),
    referenceMatches: z.array(ReferenceMatch),
    acknowledgmentUrl: z.null(),
    disclaimer: z.string(),
  })
  .meta({ id: 'Acknowledgment' });
export type Acknowledgment = z.infer<typeof Acknowledgment>;

/** api.md, "Conflict data". */
export const ConflictData = z
  .strictObject({ transmissionReference: z.string(), status: TransmissionStatus })
  .meta({ id: 'ConflictData' });
export type ConflictData = z.infer<typeof ConflictData>;
