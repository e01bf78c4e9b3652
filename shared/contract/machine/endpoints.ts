import { z } from 'zod';
import type { Scope } from '../enums.ts';
import type { ErrorCode } from '../errors.ts';
import { text } from '../text.ts';
import { Acknowledgment, ConflictData } from './acknowledgment.ts';
import { AmendmentBody } from './amendment.ts';
import { CancellationBody } from './cancellation.ts';
import { CoverageQuery, CoverageResult } from './coverage.ts';
import { RecordDetail, SearchQuery, SearchResult } from './record.ts';
import { HISTORY_PARTS, type HistoryPart } from './record-history.ts';
import { TokenBody, TokenResponse } from './token.ts';
import { TransmissionBody } from './transmission.ts';

export const API_BASE = '/api/v1';
export const API_VERSION = '1.0.0';

/** Who may call: nobody is asked, client credentials in the body, or a signed request with a token. */
export type Authentication = 'public' | 'credentials' | 'signed';

export interface Reply {
  readonly description: string;
  /** The envelope's `data`; undefined for an answer that is not an envelope (D25 lists none). */
  readonly data?: z.ZodType;
  readonly mediaType?: string;
  /** What the Location header names; without it there is none. */
  readonly location?: string;
}

/** One entry of the table that routing, parsing, OpenAPI and the client read. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Relative to API_BASE, parameters in braces. */
  readonly path: string;
  readonly authentication: Authentication;
  readonly scope: Scope | null;
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** True where `Prefer: wait=N` and `respond-async` steer the answer (D3, D4). */
  readonly prefer?: boolean;
  readonly replies: Readonly<Record<number, Reply>>;
  /** The codes this endpoint adds to those of its admission. */
  readonly errors: readonly ErrorCode[];
}

/** What every signed endpoint may answer (D19); PAYLOAD_TOO_LARGE also for its headers (D43). */
export const SIGNED_ERRORS = [
  'INVALID_TOKEN',
  'INVALID_SIGNATURE',
  'TIMESTAMP_OUT_OF_RANGE',
  'NONCE_REUSED',
  'FORBIDDEN',
  'IP_NOT_ALLOWED',
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'INTERNAL_ERROR',
] as const satisfies readonly ErrorCode[];

const registryReference = text(64).describe('PPAI-<year>-<sequence>');

const IN_PROGRESS: Reply = {
  description:
    'Recorded and still in progress: ask again at Location as Retry-After says. Nothing is lost if you disconnect.',
  data: Acknowledgment,
};
const REPLAY: Reply = {
  description: 'The answer to an earlier identical request, with `replayed` true.',
  data: Acknowledgment,
};
const SUBMISSION_ERRORS = [
  'VALIDATION_FAILED',
  'IDEMPOTENCY_KEY_REUSED',
  'TRANSMISSION_IN_PROGRESS',
  'VEHICLE_ALREADY_INSURED',
] as const satisfies readonly ErrorCode[];

function historyEndpoint<Part extends HistoryPart>(part: Part) {
  return {
    method: 'GET',
    path: `/ppai/policies/{registryReference}${part.below}`,
    authentication: 'signed',
    scope: 'ppai:read',
    summary: part.summary,
    description: part.description,
    params: z.object({ registryReference, ...(part.versionParams as Part['versionParams']) }),
    query: part.query as Part['query'],
    replies: part.replies,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  } as const;
}

export const ENDPOINTS = {
  issueToken: {
    method: 'POST',
    path: '/oauth/token',
    authentication: 'credentials',
    scope: null,
    summary: 'Obtain an access token',
    description:
      'OAuth 2.0 client credentials, as a form, JSON or HTTP Basic. The token is opaque and valid for 15 minutes. At most 20 requests per minute and address (IPv6: per /64). From an address outside the allowlist of the client there is none.',
    body: TokenBody,
    replies: { 200: { description: 'A bearer token.', data: TokenResponse } },
    errors: [
      'INVALID_CREDENTIALS',
      'FORBIDDEN',
      'IP_NOT_ALLOWED',
      'VALIDATION_FAILED',
      'RATE_LIMITED',
      'PAYLOAD_TOO_LARGE',
      'INTERNAL_ERROR',
    ],
  },
  transmit: {
    method: 'POST',
    path: '/ppai/policies',
    authentication: 'signed',
    scope: 'ppai:transmit',
    summary: 'Transmit a certificate',
    description:
      'Sends a policy, a certificate of cover, one operator and its vehicles. Idempotent on externalTransactionId. Waits for the outcome up to the time in `Prefer: wait=N`, else answers 202.',
    body: TransmissionBody,
    prefer: true,
    replies: {
      200: REPLAY,
      201: { description: 'Registered: ACCEPTED or FLAGGED.', data: Acknowledgment },
      202: IN_PROGRESS,
    },
    errors: [...SUBMISSION_ERRORS, 'DUPLICATE_TRANSMISSION', 'COC_ALREADY_REGISTERED'],
  },
  searchRecords: {
    method: 'GET',
    path: '/ppai/policies/search',
    authentication: 'signed',
    scope: 'ppai:read',
    summary: 'Search records',
    description:
      'Exact match on any current or historical identifier, policy or certificate number; criteria are combined with AND; newest registration first.',
    query: SearchQuery,
    replies: { 200: { description: 'A page of records visible to you.', data: SearchResult } },
    errors: ['VALIDATION_FAILED'],
  },
  readRecord: {
    method: 'GET',
    path: '/ppai/policies/{registryReference}',
    authentication: 'signed',
    scope: 'ppai:read',
    summary: 'Read one record',
    description:
      'The record with its newest history; older versions, amendments, transmissions, vehicles and flags are at the paths below. Operator personal data is masked.',
    params: z.object({ registryReference }),
    replies: { 200: { description: 'The record.', data: RecordDetail } },
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  },
  listRecordVersions: historyEndpoint(HISTORY_PARTS.listRecordVersions),
  readRecordVersion: historyEndpoint(HISTORY_PARTS.readRecordVersion),
  listVersionVehicles: historyEndpoint(HISTORY_PARTS.listVersionVehicles),
  listRecordAmendments: historyEndpoint(HISTORY_PARTS.listRecordAmendments),
  listAmendmentDiff: historyEndpoint(HISTORY_PARTS.listAmendmentDiff),
  listRecordTransmissions: historyEndpoint(HISTORY_PARTS.listRecordTransmissions),
  listRecordVehicles: historyEndpoint(HISTORY_PARTS.listRecordVehicles),
  listRecordFlags: historyEndpoint(HISTORY_PARTS.listRecordFlags),
  amend: {
    method: 'POST',
    path: '/ppai/policies/{registryReference}/amendments',
    authentication: 'signed',
    scope: 'ppai:amend',
    summary: 'Amend a record',
    description:
      'Changes mutable fields and creates a new version of the record. Idempotent on externalTransactionId.',
    params: z.object({ registryReference }),
    body: AmendmentBody,
    prefer: true,
    replies: {
      200: { description: 'Amended, or a replay with `replayed` true.', data: Acknowledgment },
      202: IN_PROGRESS,
    },
    errors: [...SUBMISSION_ERRORS, 'NOT_FOUND', 'IMMUTABLE_FIELD', 'RECORD_CANCELLED', 'CONFLICT'],
  },
  cancel: {
    method: 'POST',
    path: '/ppai/policies/{registryReference}/cancellation',
    authentication: 'signed',
    scope: 'ppai:cancel',
    summary: 'Cancel a record',
    description:
      'A lifecycle change: nothing is deleted, and the vehicles are free at once. Idempotent on externalTransactionId.',
    params: z.object({ registryReference }),
    body: CancellationBody,
    prefer: true,
    replies: {
      200: { description: 'Cancelled, or a replay with `replayed` true.', data: Acknowledgment },
      202: IN_PROGRESS,
    },
    errors: [...SUBMISSION_ERRORS, 'NOT_FOUND', 'RECORD_MISMATCH', 'RECORD_CANCELLED'],
  },
  readTransmission: {
    method: 'GET',
    path: '/ppai/transmissions/{transmissionReferenceOrExternalId}',
    authentication: 'signed',
    scope: 'ppai:read',
    summary: "Look up a transmission's acknowledgment",
    description:
      'By transmission reference, or by an external id of your own organization. `Prefer: wait=N` holds the answer until the outcome.',
    params: z.object({ transmissionReferenceOrExternalId: text(100) }),
    prefer: true,
    replies: {
      200: { description: 'The acknowledgment, whatever the status.', data: Acknowledgment },
    },
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  },
  checkCoverage: {
    method: 'GET',
    path: '/ppai/vehicles/{identifier}/coverage',
    authentication: 'signed',
    scope: 'vehicles:verify',
    summary: 'Check whether a vehicle is covered',
    description:
      'By plate, MV file, chassis or engine number, today or on another day. FORBIDDEN while your organization is not active.',
    params: z.object({ identifier: text(64) }),
    query: CoverageQuery,
    replies: { 200: { description: 'The coverage of the vehicle.', data: CoverageResult } },
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  },
  readOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    authentication: 'public',
    scope: null,
    summary: 'This description',
    description: 'The machine-readable description of the API.',
    replies: { 200: { description: 'OpenAPI 3.1.', mediaType: 'application/json' } },
    errors: ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'],
  },
  readDocs: {
    method: 'GET',
    path: '/docs',
    authentication: 'public',
    scope: null,
    summary: 'The interactive reference',
    description: 'A page for people; it loads nothing from other hosts.',
    replies: { 200: { description: 'A page.', mediaType: 'text/html' } },
    errors: ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'],
  },
  readErrorCodes: {
    method: 'GET',
    path: '/docs/errors',
    authentication: 'public',
    scope: null,
    summary: 'Every error and detail code',
    description: 'A page for people: each code with its cause and its remedy.',
    replies: { 200: { description: 'A page.', mediaType: 'text/html' } },
    errors: ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'],
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** The conflict answers of submissions carry the existing transmission. */
export const CONFLICT_DATA = {
  IDEMPOTENCY_KEY_REUSED: ConflictData,
  TRANSMISSION_IN_PROGRESS: ConflictData,
} as const;
