import { z } from 'zod';
import type { Scope } from '../enums.ts';
import type { ErrorCode } from '../errors.ts';
import { text } from '../text.ts';
import { READ_LIMITS } from './access/limits.ts';
import { NOT_MODIFIED } from './access/not-modified.ts';
import { Acknowledgment, ConflictData } from './acknowledgment.ts';
import { AmendmentBody } from './amendment.ts';
import { CancellationBody } from './cancellation.ts';
import { CHANGES_ENDPOINT } from './changes.ts';
import { CoverageQuery, CoverageResult } from './coverage.ts';
import { RecordDetail, SearchQuery, SearchResult } from './record.ts';
import { HISTORY_PARTS, type HistoryPart, makeHistoryEndpoint } from './record-history.ts';
import { SandboxClock, SandboxClockBody } from './sandbox/clock.ts';
import { ISSUE_TOKEN } from './token.ts';
import { TransmissionBody } from './transmission.ts';
import { READ_BATCH, SubmissionQuery } from './transmissions/batch.ts';
import { LIST_TRANSMISSIONS } from './transmissions/list.ts';
import { LOOKUP_TRANSMISSIONS } from './transmissions/lookup.ts';
import { VALIDATE_TRANSMISSION } from './transmissions/validation.ts';

export const API_BASE = '/api/v1';
export const API_VERSION = '1.0.0';

/** How the caller authenticates: not at all, with client credentials, or with a token and a signature. */
export type Authentication = 'public' | 'credentials' | 'signed';

export interface Reply {
  readonly description: string;
  /** The schema of the envelope's `data`; undefined for an answer that is not an envelope (D25, D39). */
  readonly data?: z.ZodType;
  readonly mediaType?: string;
  /** What the Location header names; undefined when the answer has no such header. */
  readonly location?: string;
}

/** One entry of the endpoint table. Routing, parsing, OpenAPI and the client read it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Relative to API_BASE, parameters in braces. */
  readonly path: string;
  readonly authentication: Authentication;
  /** Null where a signed request may have any scope, and where none is needed. */
  readonly scope: Scope | null;
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** True where the endpoint honours `Prefer: wait=N` and `respond-async` (D3, D4). */
  readonly prefer?: boolean;
  /** The outcomes that a sender in the sandbox can ask for (D40); undefined where the endpoint has no scenarios. */
  readonly outcomes?: readonly ('ACCEPTED' | 'FLAGGED')[];
  readonly replies: Readonly<Record<number, Reply>>;
  /** The codes besides those of authentication. */
  readonly errors: readonly ErrorCode[];
}

/** The codes of every signed endpoint (D19). PAYLOAD_TOO_LARGE also covers headers (D43). */
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
    'Recorded and still in progress: ask again at Location after Retry-After. Nothing is lost if you disconnect.',
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
  return makeHistoryEndpoint(part, '/ppai/policies/{registryReference}', registryReference, {
    authentication: 'signed',
    scope: 'ppai:read',
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  });
}

export const ENDPOINTS = {
  issueToken: ISSUE_TOKEN,
  transmit: {
    method: 'POST',
    path: '/ppai/policies',
    authentication: 'signed',
    scope: 'ppai:transmit',
    summary: 'Transmit a certificate',
    description:
      'Sends a policy, a certificate of cover, one operator and its vehicles. Idempotent on externalTransactionId. Waits for the outcome up to the time in `Prefer: wait=N`, then answers 202.',
    query: SubmissionQuery,
    body: TransmissionBody,
    prefer: true,
    outcomes: ['ACCEPTED', 'FLAGGED'],
    replies: {
      200: REPLAY,
      201: { description: 'Registered: ACCEPTED or FLAGGED.', data: Acknowledgment },
      202: IN_PROGRESS,
    },
    errors: [...SUBMISSION_ERRORS, 'DUPLICATE_TRANSMISSION', 'COC_ALREADY_REGISTERED'],
  },
  validateTransmission: VALIDATE_TRANSMISSION,
  searchRecords: {
    method: 'GET',
    path: '/ppai/policies/search',
    authentication: 'signed',
    scope: 'ppai:read',
    summary: 'Search records',
    description:
      'Exact match on any current or former identifier, policy or certificate number. All criteria must match. The newest registration comes first.',
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
      "The record with its newest history. Older versions, amendments, transmissions, vehicles and flags are at the paths below. The operator's personal data is masked.",
    params: z.object({ registryReference }),
    replies: { 200: { description: 'The record.', data: RecordDetail }, 304: NOT_MODIFIED },
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
    query: SubmissionQuery,
    body: AmendmentBody,
    prefer: true,
    outcomes: ['ACCEPTED', 'FLAGGED'],
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
      'Ends the lifecycle of the record. Nothing is deleted, and another certificate may cover the vehicles at once. Idempotent on externalTransactionId.',
    params: z.object({ registryReference }),
    query: SubmissionQuery,
    body: CancellationBody,
    prefer: true,
    outcomes: ['ACCEPTED'],
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
      'By transmission reference, or by an externalTransactionId of your own organization. `Prefer: wait=N` waits for the outcome.',
    params: z.object({ transmissionReferenceOrExternalId: text(100) }),
    prefer: true,
    replies: {
      200: { description: 'The acknowledgment, whatever the status.', data: Acknowledgment },
      304: NOT_MODIFIED,
    },
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  },
  readChanges: CHANGES_ENDPOINT,
  listTransmissions: LIST_TRANSMISSIONS,
  lookupTransmissions: LOOKUP_TRANSMISSIONS,
  readBatch: READ_BATCH,
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
  readSandboxClock: {
    method: 'GET',
    path: '/sandbox/clock',
    authentication: 'signed',
    scope: 'ppai:transmit',
    summary: 'Read the calendar of the sandbox',
    description: 'NOT_FOUND outside the sandbox.',
    replies: { 200: { description: 'The day offset and the day.', data: SandboxClock } },
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  },
  setSandboxClock: {
    method: 'POST',
    path: '/sandbox/clock',
    authentication: 'signed',
    scope: 'ppai:transmit',
    summary: 'Move the calendar of the sandbox',
    description:
      'Moves the calendar day for everybody in the sandbox, so that certificates begin and expire. Instants, tokens and signatures keep the real time. NOT_FOUND outside the sandbox.',
    body: SandboxClockBody,
    replies: { 200: { description: 'The day offset and the day.', data: SandboxClock } },
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  },
  readLimits: READ_LIMITS,
  readOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    authentication: 'public',
    scope: null,
    summary: 'Read this description',
    description: 'The machine-readable description of the API.',
    replies: {
      200: { description: 'OpenAPI 3.1.', mediaType: 'application/json' },
      304: NOT_MODIFIED,
    },
    errors: ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'],
  },
  readDocs: {
    method: 'GET',
    path: '/docs',
    authentication: 'public',
    scope: null,
    summary: 'Read the interactive reference',
    description: 'A web page. It loads nothing from other hosts.',
    replies: { 200: { description: 'A page.', mediaType: 'text/html' } },
    errors: ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'],
  },
  readErrorCodes: {
    method: 'GET',
    path: '/docs/errors',
    authentication: 'public',
    scope: null,
    summary: 'Read all error and detail codes',
    description: 'A web page: each code with its cause and its remedy.',
    replies: { 200: { description: 'A page.', mediaType: 'text/html' } },
    errors: ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'],
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** The conflict answers whose `data` names the existing transmission. */
export const CONFLICT_DATA = {
  IDEMPOTENCY_KEY_REUSED: ConflictData,
  TRANSMISSION_IN_PROGRESS: ConflictData,
} as const;
