import type { Finding } from './findings.ts';

/** What a reader of the documents gets to know of a code: why it comes, and what the caller does then. */
export interface Explanation {
  readonly cause: string;
  readonly remedy: string;
}

interface ErrorEntry extends Explanation {
  readonly http: number;
  readonly title: string;
}

/**
 * The error table of api.md, "Top-level error codes": code → HTTP status and the title a caller reads.
 * Every answer that is not 2xx carries one of these codes. docs/errors.md is written from it: `npm run docs`.
 */
export const ERRORS = {
  UNAUTHENTICATED: {
    http: 401,
    title: 'No valid session or bearer token was presented.',
    cause: 'The request has no session cookie (staff realm).',
    remedy: 'Sign in at /auth/v1/login and send the cookie that you get.',
  },
  FORBIDDEN: {
    http: 403,
    title: 'You lack the permission or scope for this operation.',
    cause:
      'The API client is not active, the token lacks the scope, or your role may not do this. `message` or `details` say which.',
    remedy:
      'Request a token with the scope that is missing. If the client does not have it, or is not active, ask the regulator.',
  },
  MFA_REQUIRED: {
    http: 401,
    title: 'The second factor has not been completed; sign in again.',
    cause:
      'The second factor is not completed or not enrolled, the sign-in took too long, or the operation needs a recent code (FRESH_CODE_REQUIRED).',
    remedy:
      'Do what `message` says; without a message of its own, sign in again and send the code to /auth/v1/mfa/verify.',
  },
  INVALID_CREDENTIALS: {
    http: 401,
    title: 'The credentials are wrong.',
    cause:
      'At the token endpoint: client id or client secret is wrong. In the staff realm: e-mail address or password is wrong, the user is disabled, or an initial password has expired.',
    remedy:
      'Check both values for missing or extra characters. Otherwise ask the regulator for a new secret, or an administrator to reset the password.',
  },
  ACCOUNT_LOCKED: {
    http: 401,
    title: 'The account is locked after repeated failures; try again in 15 minutes.',
    cause: 'Five sign-ins in a row failed for this e-mail address.',
    remedy: 'Wait 15 minutes before the next attempt.',
  },
  SESSION_EXPIRED: {
    http: 401,
    title: 'The session is missing, invalid or has timed out.',
    cause: 'The session was idle for 15 minutes, is older than 8 hours, or was ended.',
    remedy: 'Sign in again.',
  },
  CSRF_FAILED: {
    http: 403,
    title: 'The X-PPAI-CSRF header is missing or the Origin is not allowed.',
    cause:
      "A request other than GET to the staff realm lacks `X-PPAI-CSRF: 1`, or its Origin is neither the registry's own nor listed in ADMIN_ALLOWED_ORIGINS.",
    remedy:
      'Send the header. If the Origin is right, the operator adds it to ADMIN_ALLOWED_ORIGINS, or lets the proxy in front forward Host and X-Forwarded-Proto.',
  },
  INVALID_TOKEN: {
    http: 401,
    title: 'The bearer token is missing, malformed, expired or unknown; obtain a new one.',
    cause:
      'Authorization holds no bearer token, one that is unknown or older than 15 minutes, or one of another client than X-PPAI-Client-Id.',
    remedy:
      'Obtain a new token from /api/v1/oauth/token and send the request again, signed anew. Check that X-PPAI-Client-Id is the client that the token was issued to.',
  },
  INVALID_SIGNATURE: {
    http: 401,
    title: 'The request signature does not match; sign the exact bytes and target that are sent.',
    cause:
      'X-PPAI-Signature does not match the request, or X-PPAI-Nonce or X-PPAI-Signature is missing or malformed.',
    remedy:
      'Sign the bytes of the body and the path with query string exactly as they are sent, with LF between the five parts and none at the end. The nonce has 16 to 64 characters. Sign with the signing secret, not with the client secret.',
  },
  TIMESTAMP_OUT_OF_RANGE: {
    http: 401,
    title:
      'X-PPAI-Timestamp is outside the accepted range; sign again with the current Unix time in seconds.',
    cause:
      "X-PPAI-Timestamp is missing, is not Unix time in whole seconds, or is more than 300 seconds from the registry's clock. It is also returned for requests signed before the registry lost its memory of nonces.",
    remedy:
      'Synchronize your clock (NTP), take seconds rather than milliseconds, and sign again with the current time and a new nonce.',
  },
  NONCE_REUSED: {
    http: 401,
    title: 'This nonce was already used; sign every request, retries too, with a new one.',
    cause: 'Your client sent this nonce within the last ten minutes.',
    remedy: 'Make a new random nonce for every request, and for every retry of it, and sign again.',
  },
  IP_NOT_ALLOWED: {
    http: 403,
    title: 'This address is not on the allowlist of the client.',
    cause:
      'The client has an allowlist, and your address is not on it; or the proxy in front of the registry does not report an address.',
    remedy: 'Send from an address on the list, or ask the regulator to add yours.',
  },
  RATE_LIMITED: {
    http: 429,
    title: 'Too many requests; wait as Retry-After says.',
    cause:
      "Your client or address has used up its quota for the minute, or too many of your organization's transmissions wait already.",
    remedy:
      'Wait for the number of seconds in Retry-After, then send the same request signed anew. The headers RateLimit and RateLimit-Policy show the quota.',
  },
  VALIDATION_FAILED: {
    http: 422,
    title: 'The request did not pass validation; see details.',
    cause:
      'The body or the parameters do not fit the schema, or the transmission has errors of levels 1 to 3.',
    remedy:
      'Correct every entry of `details`; `field` says where. If `data` holds an acknowledgment, the transmission was recorded as REJECTED: send the corrected one under a new externalTransactionId. Otherwise nothing was recorded.',
  },
  DUPLICATE_TRANSMISSION: {
    http: 422,
    title: 'This certificate number is already registered with the same vehicles; see details.',
    cause:
      'The insurer has a record with this policy and certificate number and the same vehicles.',
    remedy:
      'Nothing needs to be sent: `details` names the record. If that is cancelled, use another certificate number.',
  },
  COC_ALREADY_REGISTERED: {
    http: 422,
    title: 'This certificate number is already registered with other vehicles; see details.',
    cause: 'The insurer has a record with this policy and certificate number and other vehicles.',
    remedy:
      'Amend the record that `details` names. If that is cancelled, or this is a new certificate, use another certificate number.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    http: 409,
    title: 'This externalTransactionId was already used for a different request; use a new one.',
    cause:
      'Your organization has used this externalTransactionId for a request with other content or another operation.',
    remedy:
      'Use a new externalTransactionId for new or corrected content. To repeat a request, send the same content again.',
  },
  TRANSMISSION_IN_PROGRESS: {
    http: 409,
    title: 'This transmission is still being processed; ask again as Retry-After says.',
    cause:
      'A request with the same externalTransactionId and content was received and is still being validated.',
    remedy:
      'Wait as Retry-After says and look it up with GET /api/v1/ppai/transmissions/{externalTransactionId}. Do not send it under another id.',
  },
  IMMUTABLE_FIELD: {
    http: 422,
    title: 'What names a record cannot be changed; see details.',
    cause: 'An amendment changes the insurer, the policy number or the certificate number.',
    remedy:
      'Leave the field out. If the number is wrong, cancel the record and transmit the certificate anew.',
  },
  RECORD_MISMATCH: {
    http: 422,
    title: 'The policy or certificate number is not that of the record; see details.',
    cause: "A cancellation names a policy or certificate number that is not the record's.",
    remedy: 'Check the registry reference and both numbers, and send them as the record has them.',
  },
  RECORD_CANCELLED: {
    http: 422,
    title:
      'The record is cancelled; new coverage needs a new transmission with another certificate number.',
    cause: 'The record to be amended or cancelled is cancelled already.',
    remedy:
      'A cancelled record cannot be changed. For new coverage, transmit a certificate with another number.',
  },
  NOT_FOUND: {
    http: 404,
    title: 'There is no such resource, or none that you may see.',
    cause:
      'There is no such address, record, transmission or vehicle, or your organization may not see it.',
    remedy:
      'Check the path and the reference, upper and lower case included. Records of other organizations are answered like this, too.',
  },
  CONFLICT: {
    http: 409,
    title: 'The request conflicts with the current state; read that and decide again.',
    cause:
      'Somebody else changed the resource since you read it, or its state does not allow the operation.',
    remedy:
      'Read the resource again and decide anew; an amendment then sends the current version as expectedVersion.',
  },
  PAYLOAD_TOO_LARGE: {
    http: 413,
    title: 'The request is over a size limit: 1 MB of body, 100 header lines or 16 KB of headers.',
    cause:
      'The body is over 1 MB, or the request has more than 100 header lines or 16 KB of headers.',
    remedy: 'Send fewer vehicles under one certificate, or fewer and shorter headers.',
  },
  UNSUPPORTED_FILE: {
    http: 415,
    title: 'This file is not one that can be imported.',
    cause:
      'A reference data import of the staff is not a plain CSV file in UTF-8 with the expected headings.',
    remedy:
      'Export the file as CSV in UTF-8, uncompressed, with the headings that `message` names.',
  },
  INVALID_MFA_CODE: {
    http: 401,
    title: 'The code is wrong, expired or already used.',
    cause: 'The code of the second factor is wrong, has expired or was used before.',
    remedy:
      'Wait for the next code of your authenticator, and check the clock of that device. A recovery code works once.',
  },
  VEHICLE_ALREADY_INSURED: {
    http: 422,
    title: 'A vehicle already has coverage in force on these dates; see details.',
    cause:
      'An identifier of a vehicle belongs to coverage of any insurer that is in force on at least one of these days.',
    remedy:
      '`details` names the vehicle, the insurer and the expiration date. Let the new certificate begin after that date, or have the other one cancelled.',
  },
  INTERNAL_ERROR: {
    http: 500,
    title:
      'An unexpected error occurred; retry with the same externalTransactionId, nothing is registered twice.',
    cause: 'The registry, its database or its Redis failed. It is never the fault of the request.',
    remedy:
      'Wait as Retry-After says, otherwise a few seconds, and send the same request with the same externalTransactionId, signed anew. If it persists, report error.requestId.',
  },
} as const satisfies Record<string, ErrorEntry>;

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
