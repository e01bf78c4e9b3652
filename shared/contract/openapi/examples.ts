import type { ErrorCode } from '../errors.ts';
import { type Finding, makeFinding } from '../findings.ts';
import { type Acknowledgment, type ConflictData, DISCLAIMER } from '../machine/acknowledgment.ts';
import type { EndpointName } from '../machine/endpoints.ts';
import type { SandboxClock } from '../machine/sandbox/clock.ts';
import type { TokenResponse } from '../machine/token.ts';
import { AMENDMENT, CANCELLATION, type NamedExamples } from './body-examples.ts';
import { CHANGES_EXAMPLE } from './change-examples.ts';
import { LIMITS_EXAMPLE } from './limits-example.ts';
import {
  BATCH_EXAMPLE,
  LOOKUP_RESULT_EXAMPLE,
  TRANSMISSIONS_EXAMPLE,
} from './own-transmission-examples.ts';
import {
  COVERAGE_EXAMPLE,
  HISTORY_EXAMPLES,
  RECORD_EXAMPLE,
  SUMMARY_EXAMPLE,
} from './record-examples.ts';
import { VALIDATION_EXAMPLES } from './validation-examples.ts';

// The examples of answers in the OpenAPI description. A test checks each example against its schema.

const TOKEN: TokenResponse = {
  access_token: 'q8Zt3Yx0Qm1c5o7v9b2n4m6k8j0h2g4f6d8s0a1z3x5',
  token_type: 'Bearer',
  expires_in: 900,
  scope: 'ppai:transmit ppai:read',
};

const ACCEPTED: Acknowledgment = {
  status: 'ACCEPTED',
  transmissionReference: 'PPAI-TX-2026-000000123',
  transactionReference: 'PPAI-2026-000000097',
  registryReference: 'PPAI-2026-000000097',
  externalTransactionId: 'ALPHA-2026-000123',
  kind: 'CREATE',
  policyNumber: 'POL-2026-000123',
  certificateOfCover: 'COC-2026-000123',
  plateNumber: 'NCR1001',
  plateNumbers: ['NCR1001'],
  coverageStatus: 'ACTIVE',
  version: 1,
  receivedAt: '2026-10-01T02:03:04.567Z',
  replayed: false,
  warnings: [makeFinding('REFERENCE_MATCHED', 'vehicles[0]', 'All four identifiers match.')],
  errors: [],
  flags: [],
  referenceMatches: [{ plateNumber: 'NCR1001', result: 'MATCHED' }],
  acknowledgmentUrl: null,
  disclaimer: DISCLAIMER,
};

const FLAGGED: Acknowledgment = {
  ...ACCEPTED,
  status: 'FLAGGED',
  warnings: [
    makeFinding('REFERENCE_NO_MATCH', 'vehicles[0]', 'No identifier is in the reference data.'),
  ],
  flags: [
    {
      type: 'VEHICLE_MISMATCH',
      message: 'No identifier is in the reference data.',
      relatedRegistryReference: null,
      plateNumber: 'NCR1001',
    },
  ],
  referenceMatches: [{ plateNumber: 'NCR1001', result: 'NO_MATCH' }],
};

const NOT_REGISTERED: Acknowledgment = {
  ...ACCEPTED,
  transactionReference: null,
  registryReference: null,
  coverageStatus: null,
  version: null,
  warnings: [],
  referenceMatches: [],
};
const IN_PROGRESS: Acknowledgment = { ...NOT_REGISTERED, status: 'RECEIVED' };
const CONFLICT: ConflictData = {
  transmissionReference: 'PPAI-TX-2026-000000123',
  status: 'VALIDATING',
};

const AMENDED: Acknowledgment = {
  ...ACCEPTED,
  kind: 'AMEND',
  externalTransactionId: AMENDMENT.externalTransactionId,
  version: 2,
};
const CANCELLED: Acknowledgment = {
  ...ACCEPTED,
  kind: 'CANCEL',
  externalTransactionId: CANCELLATION.externalTransactionId,
  coverageStatus: 'CANCELLED',
  warnings: [],
  referenceMatches: [],
};

const SANDBOX_CLOCK: SandboxClock = {
  dayOffset: 365,
  today: '2027-10-01',
  now: '2026-10-01T02:03:05.012Z',
};

/** `data` of each success answer, by endpoint and status. */
export const DATA_EXAMPLES: Partial<Record<EndpointName, Readonly<Record<number, NamedExamples>>>> =
  {
    issueToken: { 200: { token: TOKEN } },
    transmit: {
      200: { replay: { ...ACCEPTED, replayed: true } },
      201: { accepted: ACCEPTED, flagged: FLAGGED },
      202: { inProgress: IN_PROGRESS },
    },
    validateTransmission: { 200: VALIDATION_EXAMPLES },
    searchRecords: {
      200: { found: { items: [SUMMARY_EXAMPLE], page: 1, pageSize: 25, total: 1 } },
    },
    readRecord: { 200: { record: RECORD_EXAMPLE } },
    ...Object.fromEntries(
      Object.entries(HISTORY_EXAMPLES).map(([name, examples]) => [name, { 200: examples }]),
    ),
    amend: {
      200: { amended: AMENDED },
      202: {
        inProgress: {
          ...IN_PROGRESS,
          kind: 'AMEND',
          externalTransactionId: AMENDMENT.externalTransactionId,
        },
      },
    },
    cancel: {
      200: { cancelled: CANCELLED },
      202: {
        inProgress: {
          ...IN_PROGRESS,
          kind: 'CANCEL',
          externalTransactionId: CANCELLATION.externalTransactionId,
        },
      },
    },
    readTransmission: { 200: { accepted: ACCEPTED, inProgress: IN_PROGRESS } },
    readChanges: { 200: { changes: CHANGES_EXAMPLE } },
    listTransmissions: { 200: { page: TRANSMISSIONS_EXAMPLE } },
    lookupTransmissions: { 200: { items: LOOKUP_RESULT_EXAMPLE } },
    readBatch: { 200: { inProgress: BATCH_EXAMPLE } },
    checkCoverage: { 200: { covered: COVERAGE_EXAMPLE } },
    readSandboxClock: { 200: { clock: SANDBOX_CLOCK } },
    setSandboxClock: { 200: { clock: SANDBOX_CLOCK } },
    readLimits: { 200: { limits: LIMITS_EXAMPLE } },
  };

const MISSING_CHASSIS = makeFinding(
  'REQUIRED',
  'vehicles[0].chassisNumber',
  'vehicles[0].chassisNumber is required.',
);
const DATES_REVERSED = makeFinding(
  'INVALID_DATE_RANGE',
  'certificate.expirationDate',
  'The expirationDate 2026-09-30 must be after the effectiveDate 2026-10-01.',
);

/** Typical findings of an error with this code. */
export const ERROR_DETAILS: Partial<Record<ErrorCode, readonly Finding[]>> = {
  FORBIDDEN: [makeFinding('MISSING_SCOPE', null, 'The scope ppai:transmit is missing.')],
  VALIDATION_FAILED: [MISSING_CHASSIS, DATES_REVERSED],
  DUPLICATE_TRANSMISSION: [
    makeFinding(
      'DUPLICATE_TRANSMISSION',
      'certificate.cocNumber',
      'Already registered as PPAI-2026-000000097 with the same vehicles. To change it, amend that record; if you cannot see it, ask the issuing insurer.',
      'PPAI-2026-000000097',
    ),
  ],
  COC_ALREADY_REGISTERED: [
    makeFinding(
      'COC_ALREADY_REGISTERED',
      'certificate.cocNumber',
      'Already registered as PPAI-2026-000000097 with other vehicles. To change it, amend that record; if you cannot see it, ask the issuing insurer.',
      'PPAI-2026-000000097',
    ),
  ],
  VEHICLE_ALREADY_INSURED: [
    makeFinding(
      'VEHICLE_ALREADY_INSURED',
      'vehicles[0].plateNumber',
      'Already covered by Bravo Insurance until 2027-03-31. Matched by plateNumber NCR1001.',
    ),
  ],
  IMMUTABLE_FIELD: [
    makeFinding(
      'IMMUTABLE_FIELD',
      'changes.certificate.cocNumber',
      'It names the record and cannot change: leave it out. If it is wrong, cancel the record and transmit the certificate anew.',
    ),
  ],
  RECORD_MISMATCH: [
    makeFinding(
      'RECORD_MISMATCH',
      'cocNumber',
      'Record PPAI-2026-000000097 has another cocNumber: check the number and the reference.',
    ),
  ],
  RECORD_CANCELLED: [
    makeFinding(
      'RECORD_CANCELLED',
      null,
      'The record is cancelled and stays so. New coverage needs a new transmission with another certificate number.',
    ),
  ],
  CONFLICT: [
    makeFinding(
      'VERSION_MISMATCH',
      'expectedVersion',
      'The record is at version 2; read it again before you amend it.',
    ),
  ],
};

/** `data` of an error answer: conflict data, the acknowledgment of a rejection, or null. */
export function errorDataExample(code: ErrorCode, isSubmission: boolean): object | null {
  if (code === 'IDEMPOTENCY_KEY_REUSED' || code === 'TRANSMISSION_IN_PROGRESS') return CONFLICT;
  const details = ERROR_DETAILS[code] ?? [];
  if (!isSubmission || !REJECTIONS.has(code)) return null;
  return { ...NOT_REGISTERED, status: 'REJECTED', errors: [...details] } satisfies Acknowledgment;
}

const REJECTIONS: ReadonlySet<ErrorCode> = new Set([
  'VALIDATION_FAILED',
  'DUPLICATE_TRANSMISSION',
  'COC_ALREADY_REGISTERED',
  'VEHICLE_ALREADY_INSURED',
  'IMMUTABLE_FIELD',
  'RECORD_MISMATCH',
  'RECORD_CANCELLED',
]);
