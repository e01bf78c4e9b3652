import { z } from 'zod';
import { RegistryDate, RegistryMoment } from '../dates.ts';
import {
  Channel,
  CoverageStatus,
  Lifecycle,
  Region,
  TransmissionKind,
  TransmissionStatus,
} from '../enums.ts';
import { ERROR_CODES } from '../errors.ts';
import { FINDING_CODES, type FindingCode } from '../findings.ts';
import { Acknowledgment, Timestamp } from '../machine/acknowledgment.ts';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { RecordDetail, RecordSummary, RecordTransmission } from '../machine/record.ts';
import { HISTORY_PARTS, type HistoryPart, makeHistoryEndpoint } from '../machine/record-history.ts';
import { text } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';

const filter = (max: number) => text(max).min(1).optional();
const organizationCode = () => filter(32);
const from = () => RegistryMoment.optional().describe('At or after.');
const to = () => RegistryMoment.optional().describe('Before.');

const firstDay = () => RegistryDate.optional().describe('On or after this day.');
const lastDay = () => RegistryDate.optional().describe('On or before this day.');

export const RECORD_ORDERS = ['newest', 'oldest'] as const;

export const RecordQuery = PageQuery.extend({
  plateNumber: filter(64),
  mvFileNumber: filter(64),
  chassisNumber: filter(64),
  engineNumber: filter(64),
  policyNumber: filter(64),
  cocNumber: filter(64),
  status: CoverageStatus.optional(),
  lifecycle: Lifecycle.optional(),
  region: Region.optional().describe("The operator's region."),
  insurerCode: organizationCode().describe('The issuing insurer.'),
  transmitterCode: organizationCode().describe('The transmitting organization.'),
  poolCode: organizationCode(),
  hasOpenFlags: z.stringbool().optional(),
  registeredFrom: from(),
  registeredTo: to(),
  effectiveFrom: firstDay(),
  effectiveTo: lastDay(),
  expirationFrom: firstDay(),
  expirationTo: lastDay(),
  order: z.enum(RECORD_ORDERS).default('newest').describe('Which registrations come first.'),
}).meta({ id: 'RecordQuery' });
export type RecordQuery = z.infer<typeof RecordQuery>;

export const TransmissionItem = RecordTransmission.extend({
  issuingInsurerCode: z.string().nullable().describe('The code as transmitted.'),
  vehicleCount: z.int().min(0),
  attempts: z.int().min(0).describe('How often a worker claimed it.'),
  lastError: z
    .string()
    .nullable()
    .describe('The last fault of the service; null once the transmission is terminal.'),
  parkedAt: Timestamp.nullable().describe(
    'When it was set aside after its last retry; null once it is sent again.',
  ),
}).meta({ id: 'TransmissionItem' });
export type TransmissionItem = z.infer<typeof TransmissionItem>;

export const TransmissionDetail = TransmissionItem.extend({
  apiClient: z
    .strictObject({ id: z.guid(), clientId: z.string(), name: z.string() })
    .nullable()
    .describe('The client that sent it.'),
  requestId: z.string(),
  targetRegistryReference: z
    .string()
    .nullable()
    .describe('The record that an amendment or cancellation changes.'),
  unknownFields: z.array(z.string()).describe('The members that were ignored.'),
  failures: z.int().min(0).describe('Attempts that ended in a fault of the service.'),
  dueAt: Timestamp.nullable().describe(
    'The time of the next attempt, or the end of the lease of the running one.',
  ),
  acknowledgment: Acknowledgment.nullable().describe('Null while it is in progress.'),
}).meta({ id: 'TransmissionDetail' });
export type TransmissionDetail = z.infer<typeof TransmissionDetail>;

/** Findings have no index, so a search for them reads all transmissions of its days. */
export const FINDING_DAYS_MAX = 7;
const FINDING_CODE_LIST = Object.keys(FINDING_CODES) as [FindingCode, ...FindingCode[]];

export const TransmissionQuery = PageQuery.extend({
  status: TransmissionStatus.optional(),
  kind: TransmissionKind.optional(),
  channel: Channel.optional(),
  organizationCode: organizationCode().describe('The transmitting organization.'),
  insurerCode: organizationCode().describe('The issuing insurer as transmitted.'),
  externalTransactionId: filter(100),
  registryReference: filter(40).describe(
    'The transmissions that created, changed or tried to change this record.',
  ),
  policyNumber: filter(64),
  cocNumber: filter(64),
  errorCode: z.enum(ERROR_CODES).optional(),
  findingCode: z
    .enum(FINDING_CODE_LIST)
    .optional()
    .describe(
      `Those with this finding, an error or a warning. Needs receivedFrom and receivedTo, at most ${FINDING_DAYS_MAX} days apart.`,
    ),
  identifier: filter(64).describe(
    'An identifier of any kind: the transmissions about the records of the vehicles that have or had it.',
  ),
  apiClientId: z.uuid().optional().describe('The client that sent it.'),
  parked: z.stringbool().optional(),
  receivedFrom: from(),
  receivedTo: to(),
}).meta({ id: 'TransmissionQuery' });
export type TransmissionQuery = z.infer<typeof TransmissionQuery>;

export const PERSONAL_DATA_FORMS = ['masked', 'plain'] as const;
export const PersonalDataForm = z.enum(PERSONAL_DATA_FORMS);

export const SubmittedBody = z
  .strictObject({
    transmissionReference: z.string(),
    kind: TransmissionKind,
    personalData: PersonalDataForm,
    body: z.looseObject({}).describe('The submitted body without its unknown members.'),
  })
  .meta({ id: 'SubmittedBody' });
export type SubmittedBody = z.infer<typeof SubmittedBody>;

const transmissionParams = z.object({ transmissionReference: text(40).min(1) });

const registryReference = text(40).min(1);

function historyEndpoint<Part extends HistoryPart>(part: Part) {
  return makeHistoryEndpoint(part, '/admin/v1/records/{registryReference}', registryReference, {
    authentication: 'session',
    permission: 'records:read',
    errors: [],
  });
}

export const RECORD_ENDPOINTS = {
  listRecords: {
    method: 'GET',
    path: '/admin/v1/records',
    authentication: 'session',
    permission: 'records:read',
    summary: 'Search records of all organizations',
    description:
      'The newest registration first unless `order` says otherwise. All filters must match. Identifiers are normalized, and former ones match too.',
    query: RecordQuery,
    replies: { 200: { description: 'A page of records.', data: pageOf(RecordSummary) } },
    csv: [
      'registryReference',
      'policyNumber',
      'cocNumber',
      'effectiveDate',
      'expirationDate',
      'coverageStatus',
      'lifecycle',
      'currentVersion',
      'issuingInsurer.code',
      'transmittingOrg.code',
      'pool.code',
      'operatorName',
      'region',
      'vehicleCount',
      'plateNumbers',
      'openFlagCount',
      'registeredAt',
    ],
    errors: [],
  },
  readRecord: {
    method: 'GET',
    path: '/admin/v1/records/{registryReference}',
    authentication: 'session',
    permission: 'records:read',
    summary: 'Read one record',
    description:
      'The record with its newest versions, amendments, flags and transmissions. The older ones are at the paths below.',
    params: z.object({ registryReference }),
    replies: { 200: { description: 'The record.', data: RecordDetail } },
    errors: [],
  },
  listRecordVersions: historyEndpoint(HISTORY_PARTS.listRecordVersions),
  readRecordVersion: historyEndpoint(HISTORY_PARTS.readRecordVersion),
  listVersionVehicles: historyEndpoint(HISTORY_PARTS.listVersionVehicles),
  listRecordAmendments: historyEndpoint(HISTORY_PARTS.listRecordAmendments),
  listAmendmentDiff: historyEndpoint(HISTORY_PARTS.listAmendmentDiff),
  listRecordTransmissions: historyEndpoint(HISTORY_PARTS.listRecordTransmissions),
  listRecordVehicles: historyEndpoint(HISTORY_PARTS.listRecordVehicles),
  listRecordFlags: historyEndpoint(HISTORY_PARTS.listRecordFlags),
  listTransmissions: {
    method: 'GET',
    path: '/admin/v1/transmissions',
    authentication: 'session',
    permission: 'records:read',
    summary: 'Search transmissions of all organizations',
    description: 'The newest first. All filters must match.',
    query: TransmissionQuery,
    replies: { 200: { description: 'A page of transmissions.', data: pageOf(TransmissionItem) } },
    csv: [
      'transmissionReference',
      'kind',
      'channel',
      'status',
      'transmittingOrg.code',
      'externalTransactionId',
      'registryReference',
      'policyNumber',
      'cocNumber',
      'issuingInsurerCode',
      'vehicleCount',
      'plateNumbers',
      'errorCode',
      'actor',
      'attempts',
      'lastError',
      'receivedAt',
      'completedAt',
      'parkedAt',
    ],
    errors: [],
  },
  readTransmission: {
    method: 'GET',
    path: '/admin/v1/transmissions/{transmissionReference}',
    authentication: 'session',
    permission: 'records:read',
    summary: 'Read one transmission',
    description: 'The transmission with its acknowledgment, its attempts and its last error.',
    params: transmissionParams,
    replies: { 200: { description: 'The transmission.', data: TransmissionDetail } },
    errors: [],
  },
  readTransmissionBody: {
    method: 'GET',
    path: '/admin/v1/transmissions/{transmissionReference}/body',
    authentication: 'session',
    permission: 'records:read',
    summary: 'Read the submitted body',
    description:
      'Personal data is masked. `personalData=plain` shows it to users with `personal-data:read`, and the access is audited.',
    params: transmissionParams,
    query: z.object({ personalData: PersonalDataForm.default('masked') }),
    replies: { 200: { description: 'The body.', data: SubmittedBody } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
