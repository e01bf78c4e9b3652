import type { Finding } from './findings.ts';

/**
 * The error table of api.md, "Top-level error codes": code → HTTP status and the title a caller reads.
 * Every answer that is not 2xx carries one of these codes.
 */
export const ERRORS = {
  UNAUTHENTICATED: { http: 401, title: 'No valid session or bearer token was presented.' },
  FORBIDDEN: { http: 403, title: 'You lack the permission or scope for this operation.' },
  MFA_REQUIRED: { http: 401, title: 'The second factor has not been completed; sign in again.' },
  INVALID_CREDENTIALS: { http: 401, title: 'The credentials are wrong.' },
  ACCOUNT_LOCKED: {
    http: 401,
    title: 'The account is locked after repeated failures; try again in 15 minutes.',
  },
  SESSION_EXPIRED: { http: 401, title: 'The session is missing, invalid or has timed out.' },
  CSRF_FAILED: {
    http: 403,
    title: 'The X-PPAI-CSRF header is missing or the Origin is not allowed.',
  },
  INVALID_TOKEN: {
    http: 401,
    title: 'The bearer token is missing, malformed, expired or unknown; obtain a new one.',
  },
  INVALID_SIGNATURE: {
    http: 401,
    title: 'The request signature does not match; sign the exact bytes and target that are sent.',
  },
  TIMESTAMP_OUT_OF_RANGE: {
    http: 401,
    title:
      'X-PPAI-Timestamp is outside the accepted range; sign again with the current Unix time in seconds.',
  },
  NONCE_REUSED: {
    http: 401,
    title: 'This nonce was already used; sign every request, retries too, with a new one.',
  },
  IP_NOT_ALLOWED: { http: 403, title: 'This address is not on the allowlist of the client.' },
  RATE_LIMITED: { http: 429, title: 'Too many requests; wait as Retry-After says.' },
  VALIDATION_FAILED: { http: 422, title: 'The request did not pass validation; see details.' },
  DUPLICATE_TRANSMISSION: {
    http: 422,
    title: 'This certificate number is already registered with the same vehicles; see details.',
  },
  COC_ALREADY_REGISTERED: {
    http: 422,
    title: 'This certificate number is already registered with other vehicles; see details.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    http: 409,
    title: 'This externalTransactionId was already used for a different request; use a new one.',
  },
  TRANSMISSION_IN_PROGRESS: {
    http: 409,
    title: 'This transmission is still being processed; ask again as Retry-After says.',
  },
  IMMUTABLE_FIELD: {
    http: 422,
    title: 'What names a record cannot be changed; see details.',
  },
  RECORD_MISMATCH: {
    http: 422,
    title: 'The policy or certificate number is not that of the record; see details.',
  },
  RECORD_CANCELLED: {
    http: 422,
    title:
      'The record is cancelled; new coverage needs a new transmission with another certificate number.',
  },
  NOT_FOUND: { http: 404, title: 'There is no such resource, or none that you may see.' },
  CONFLICT: {
    http: 409,
    title: 'The request conflicts with the current state; read that and decide again.',
  },
  PAYLOAD_TOO_LARGE: {
    http: 413,
    title: 'The request is over a size limit: 1 MB of body, 100 header lines or 16 KB of headers.',
  },
  UNSUPPORTED_FILE: { http: 415, title: 'This file is not one that can be imported.' },
  INVALID_MFA_CODE: { http: 401, title: 'The code is wrong, expired or already used.' },
  VEHICLE_ALREADY_INSURED: {
    http: 422,
    title: 'A vehicle already has coverage in force on these dates; see details.',
  },
  INTERNAL_ERROR: {
    http: 500,
    title:
      'An unexpected error occurred; retry with the same externalTransactionId, nothing is registered twice.',
  },
} as const satisfies Record<string, { http: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** What an error answer may carry besides its code. */
export interface ErrorExtras {
  readonly details?: readonly Finding[];
  /** The envelope's `data`: conflict data, or the acknowledgment of a rejection. */
  readonly data?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the table's title where the reader needs to know more. Never holds secrets or personal data. */
  readonly message?: string;
  readonly cause?: unknown;
}

/** An error for the caller (`code`, `extras`) with a reason for the log only (`message`). */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, reason: string, extras: ErrorExtras = {}) {
    super(reason, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'AppError';
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return ERRORS[this.code].http;
  }
}
