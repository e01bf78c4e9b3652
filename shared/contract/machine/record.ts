import { z } from 'zod';
import {
  CancellationReasonCode,
  Channel,
  CoverageStatus,
  Denomination,
  FlagStatus,
  FlagType,
  Lifecycle,
  OperatorType,
  OrganizationType,
  ReferenceMatchResult,
  Region,
  TransmissionKind,
  TransmissionStatus,
  VehicleType,
} from '../enums.ts';
import { text } from '../text.ts';
import { Timestamp } from './acknowledgment.ts';
import { FLAGS_LISTED_MAX, HISTORY_LISTED_MAX } from './bounds.ts';
import { wholeNumber } from './paging.ts';

const CalendarDate = z.iso.date();
const Uuid = z.guid();

export const OrganizationSummary = z
  .strictObject({ id: Uuid, code: z.string(), name: z.string(), type: OrganizationType })
  .meta({ id: 'OrganizationSummary' });
export type OrganizationSummary = z.infer<typeof OrganizationSummary>;

const summaryFields = {
  id: Uuid,
  registryReference: z.string(),
  policyNumber: z.string(),
  cocNumber: z.string(),
  effectiveDate: CalendarDate,
  expirationDate: CalendarDate,
  coverageStatus: CoverageStatus,
  lifecycle: Lifecycle,
  currentVersion: z.int().min(1),
  issuingInsurer: OrganizationSummary,
  transmittingOrg: OrganizationSummary,
  pool: OrganizationSummary.nullable(),
  operatorName: z.string(),
  region: Region,
  plateNumbers: z.array(z.string()),
  vehicleCount: z.int().min(0),
  openFlagCount: z.int().min(0),
  registeredAt: Timestamp,
};

/** api.md, "Record summary". */
export const RecordSummary = z.strictObject(summaryFields).meta({ id: 'RecordSummary' });
export type RecordSummary = z.infer<typeof RecordSummary>;

export const RecordPolicy = z.strictObject({
  policyNumber: z.string(),
  issuanceDate: CalendarDate,
  coverageType: z.string(),
  premiumAmount: z.string().nullable().describe('Decimal string.'),
  officialReceiptNumber: z.string().nullable(),
  remarks: z.string().nullable(),
  leadInsurer: OrganizationSummary.nullable(),
  managementCompany: OrganizationSummary.nullable(),
});

/** Personal data is always masked (D22). */
export const RecordOperator = z.strictObject({
  id: Uuid,
  name: z.string(),
  operatorType: OperatorType,
  businessName: z.string().nullable(),
  tinMasked: z.string().nullable(),
  address: z.string().nullable(),
  region: Region,
  contactEmailMasked: z.string().nullable(),
  contactPhoneMasked: z.string().nullable(),
  caseNumber: z.string().nullable(),
  cpcNumber: z.string().nullable(),
  franchiseNumber: z.string().nullable(),
});

export const RecordVehicle = z
  .strictObject({
    vehicle: z.strictObject({
      id: Uuid,
      plateNumber: z.string(),
      mvFileNumber: z.string(),
      engineNumber: z.string(),
      chassisNumber: z.string(),
      make: z.string().nullable(),
      model: z.string().nullable(),
      yearModel: z.int().nullable(),
      vehicleType: VehicleType,
      denomination: Denomination,
      passengerCapacity: z.int(),
      region: Region,
      caseNumber: z.string().nullable(),
      cpcNumber: z.string().nullable(),
    }),
    transmitted: z.strictObject({
      plateNumber: z.string(),
      mvFileNumber: z.string(),
      engineNumber: z.string(),
      chassisNumber: z.string(),
    }),
    refMatchResult: ReferenceMatchResult.nullable(),
    addedInVersion: z.int().min(1),
    removedInVersion: z.int().min(1).nullable(),
  })
  .meta({ id: 'RecordVehicle' });
export type RecordVehicle = z.infer<typeof RecordVehicle>;

/** Replaces a part that would make the answer too large (D33). */
export const Omitted = z
  .strictObject({
    omitted: z.literal(true),
    href: z.string().describe('A GET of this path returns the omitted part.'),
  })
  .meta({ id: 'Omitted' });
export type Omitted = z.infer<typeof Omitted>;

export const RecordVersion = z
  .strictObject({
    version: z.int().min(1),
    coverageStatus: CoverageStatus,
    createdAt: Timestamp,
    supersededAt: Timestamp.nullable(),
    transmissionReference: z.string(),
    channel: Channel,
    actor: z.string(),
    snapshot: z
      .looseObject({})
      .describe(
        'The certificate as of this version. Older versions, and snapshots that do not fit into the answer, have `{ "omitted": true, "href": … }` instead: a GET of the href returns the snapshot.',
      ),
  })
  .meta({ id: 'RecordVersion' });
export type RecordVersion = z.infer<typeof RecordVersion>;

export const DiffEntry = z
  .strictObject({
    path: z.string(),
    before: z.unknown().optional(),
    after: z.unknown().optional(),
  })
  .meta({ id: 'DiffEntry' });
export type DiffEntry = z.infer<typeof DiffEntry>;

export const RecordAmendment = z
  .strictObject({
    id: Uuid,
    fromVersion: z.int().min(1),
    toVersion: z.int().min(2),
    reason: z.string(),
    diff: z
      .union([z.array(DiffEntry), Omitted])
      .describe('A list, or its path where the list does not fit into the answer.'),
    organization: OrganizationSummary,
    actor: z.string(),
    transmissionReference: z.string(),
    createdAt: Timestamp,
  })
  .meta({ id: 'RecordAmendment' });
export type RecordAmendment = z.infer<typeof RecordAmendment>;

export const RecordCancellation = z
  .strictObject({
    cancellationEffectiveDate: CalendarDate,
    reasonCode: CancellationReasonCode,
    reasonText: z.string(),
    supportingReference: z.string().nullable(),
    documentId: Uuid.nullable(),
    organization: OrganizationSummary,
    actor: z.string(),
    transmissionReference: z.string(),
    createdAt: Timestamp,
  })
  .meta({ id: 'RecordCancellation' });
export type RecordCancellation = z.infer<typeof RecordCancellation>;

export const RecordFlag = z
  .strictObject({
    id: Uuid,
    type: FlagType,
    status: FlagStatus,
    certificateId: Uuid,
    registryReference: z.string(),
    relatedCertificateId: Uuid.nullable(),
    relatedRegistryReference: z.string().nullable(),
    plateNumber: z.string().nullable(),
    insurerName: z.string(),
    relatedInsurerName: z.string().nullable(),
    region: Region,
    details: z.looseObject({}),
    message: z.string(),
    reviewedBy: z
      .string()
      .nullable()
      .describe(
        'REGULATOR after a review; the regulator’s staff see the e-mail address of the reviewer.',
      ),
    reviewedAt: Timestamp.nullable(),
    reviewNotes: z.string().nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'RecordFlag' });
export type RecordFlag = z.infer<typeof RecordFlag>;

export const RecordTransmission = z
  .strictObject({
    id: Uuid,
    transmissionReference: z.string(),
    kind: TransmissionKind,
    channel: Channel,
    status: TransmissionStatus,
    transmittingOrg: OrganizationSummary,
    externalTransactionId: z.string(),
    registryReference: z.string().nullable(),
    policyNumber: z.string().nullable(),
    cocNumber: z.string().nullable(),
    plateNumbers: z.array(z.string()),
    errorCode: z.string().nullable(),
    actor: z.string(),
    receivedAt: Timestamp,
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'RecordTransmission' });
export type RecordTransmission = z.infer<typeof RecordTransmission>;

function newest(list: string): string {
  return `The newest ${HISTORY_LISTED_MAX}, as far as they fit into the answer. All are at /${list}.`;
}

/** api.md, "Record detail", with the limits of D33. */
export const RecordDetail = z
  .strictObject({
    ...summaryFields,
    policy: RecordPolicy,
    insurerVerificationRef: z.string().nullable(),
    operator: RecordOperator,
    vehicles: z
      .array(RecordVehicle)
      .describe(
        `All vehicles on the record, and the ${HISTORY_LISTED_MAX} that were removed last. All are at /vehicles.`,
      ),
    versions: z.array(RecordVersion).describe(newest('versions')),
    amendments: z.array(RecordAmendment).describe(newest('amendments')),
    cancellation: RecordCancellation.nullable(),
    flags: z
      .array(RecordFlag)
      .describe(
        `Open flags first, then the newest: at most ${FLAGS_LISTED_MAX}, and no more than fit into the answer. All are at /flags.`,
      ),
    transmissions: z.array(RecordTransmission).describe(newest('transmissions')),
    disclaimer: z.string(),
  })
  .meta({ id: 'RecordDetail' });
export type RecordDetail = z.infer<typeof RecordDetail>;

export const PAGE_SIZE_DEFAULT = 25;
export const PAGE_SIZE_MAX = 200;

const criterion = (max: number) => text(max).optional();

/** api.md, "GET /api/v1/ppai/policies/search"; D16. */
export const SearchQuery = z
  .object({
    plateNumber: criterion(64),
    mvFileNumber: criterion(64),
    chassisNumber: criterion(64),
    engineNumber: criterion(64),
    policyNumber: criterion(64),
    cocNumber: criterion(64),
    status: CoverageStatus.optional(),
    page: wholeNumber(1, 1_000_000).default(1),
    pageSize: wholeNumber(1, PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
  })
  .meta({ id: 'SearchQuery' });
export type SearchQuery = z.infer<typeof SearchQuery>;

export const SearchResult = z
  .strictObject({
    items: z.array(RecordSummary),
    page: z.int().min(1),
    pageSize: z.int().min(1),
    total: z.int().min(0),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof SearchResult>;
