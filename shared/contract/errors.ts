import type { Finding } from './findings.ts';

/** The documentation of a code: why a caller gets it, and what the caller should do. */
export interface Explanation {
  readonly cause: string;
  readonly remedy: string;
}

interface ErrorEntry extends Explanation {
  readonly http: number;
  readonly title: string;
}

/**
 * The error table of api.md, "Top-level error codes": code → HTTP status and the title that the caller reads.
 * Every answer that is not 2xx carries one of these codes. `npm run docs` writes docs/errors.md from this table.
 */
export const ERRORS = {
  UNAUTHENTICATED: {
    http: 401,
    title: 'No valid session or bearer token was presented.',
    cause: 'The request has no session cookie (staff realm).',
    remedy: 'Sign in at /auth/v1/login and send the cookie that you receive.',
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
      'Follow `message`. If it gives no instruction, sign in again and send the code to /auth/v1/mfa/verify.',
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
      "A staff realm request other than GET lacks `X-PPAI-CSRF: 1`, or its Origin is neither the registry's own nor listed in ADMIN_ALLOWED_ORIGINS.",
    remedy:
      'Send the header. If the Origin is correct, ask the operator to add it to ADMIN_ALLOWED_ORIGINS, or to make the proxy forward Host and X-Forwarded-Proto.',
  },
  INVALID_TOKEN: {
    http: 401,
    title: 'The bearer token is missing, malformed, expired or unknown; obtain a new one.',
    cause:
      'Authorization contains no bearer token, or the token is unknown, is older than 15 minutes, or belongs to another client than X-PPAI-Client-Id names.',
    remedy:
      'Obtain a new token from /api/v1/oauth/token, sign the request again and send it. Check that X-PPAI-Client-Id is the client that the token was issued to.',
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
      'Synchronize your clock (NTP), use seconds rather than milliseconds, and sign again with the current time and a new nonce.',
  },
  NONCE_REUSED: {
    http: 401,
    title: 'This nonce was already used; sign every request and every retry with a new one.',
    cause: 'Your client sent this nonce within the last ten minutes.',
    remedy: 'Generate a new random nonce for every request and every retry, and sign again.',
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
      "Your client or address has used up its quota for the minute, or too many of your organization's transmissions are already waiting.",
    remedy:
      'Wait for the number of seconds in Retry-After, then sign the same request again and send it. The headers RateLimit and RateLimit-Policy show the quota.',
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
      'You need to send nothing: `details` names the record. If that record is cancelled, use another certificate number.',
  },
  COC_ALREADY_REGISTERED: {
    http: 422,
    title: 'This certificate number is already registered with other vehicles; see details.',
    cause: 'The insurer has a record with this policy and certificate number and other vehicles.',
    remedy:
      'Amend the record that `details` names. If that record is cancelled, or if this is a new certificate, use another certificate number.',
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
    title: 'The fields that identify a record cannot be changed; see details.',
    cause: 'An amendment changes the insurer, the policy number or the certificate number.',
    remedy:
      'Leave the field out. If the number is wrong, cancel the record and transmit the certificate again.',
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
    cause: 'The record that you amend or cancel is already cancelled.',
    remedy:
      'A cancelled record cannot be changed. For new coverage, transmit a certificate with another number.',
  },
  NOT_FOUND: {
    http: 404,
    title: 'There is no such resource, or none that you may see.',
    cause:
      'There is no such address, record, transmission or vehicle, or your organization may not see it.',
    remedy:
      'Check the path and the reference; upper and lower case differ. A record that you may not see gets this answer too.',
  },
  CONFLICT: {
    http: 409,
    title: 'The request conflicts with the current state; read the resource again and retry.',
    cause:
      'Somebody else changed the resource since you read it, or its state does not allow the operation.',
    remedy:
      'Read the resource again and decide whether the change is still right. Send an amendment with the current version as expectedVersion.',
  },
  PAYLOAD_TOO_LARGE: {
    http: 413,
    title: 'The request is over a size limit: 1 MB of body, 100 header lines or 16 KB of headers.',
    cause:
      'The body is larger than 1 MB, or the request has more than 100 header lines or 16 KB of headers.',
    remedy: 'Send fewer vehicles under one certificate, or fewer and shorter headers.',
  },
  UNSUPPORTED_FILE: {
    http: 415,
    title: 'This file cannot be imported.',
    cause:
      'The file of a reference data import is not an uncompressed CSV file in UTF-8 with the expected headings.',
    remedy:
      'Export the file as CSV in UTF-8, uncompressed, with the headings that `message` names.',
  },
  INVALID_MFA_CODE: {
    http: 401,
    title: 'The code is wrong, expired or already used.',
    cause: 'The code of the second factor is wrong, has expired or was used before.',
    remedy:
      'Wait for the next code of your authenticator app, and check the clock of its device. A recovery code works only once.',
  },
  VEHICLE_ALREADY_INSURED: {
    http: 422,
    title: 'A vehicle already has coverage in force on these dates; see details.',
    cause:
      'An identifier of a vehicle has coverage, of any insurer, in force on at least one of these days.',
    remedy:
      '`details` names the vehicle, the insurer and the expiration date. Let the new certificate begin after that date, or have the other one cancelled.',
  },
  INTERNAL_ERROR: {
    http: 500,
    title:
      'An unexpected error occurred; retry with the same externalTransactionId, nothing is registered twice.',
    cause: 'The registry, its database or its Redis failed. The request did not cause it.',
    remedy:
      'Wait as Retry-After says, or a few seconds without that header. Then sign the same request, with the same externalTransactionId, again and send it. If the error persists, report error.requestId.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The optional parts of an error answer. */
export interface ErrorExtras {
  readonly details?: readonly Finding[];
  /** The envelope's `data`: conflict data, or the acknowledgment of a rejection. */
  readonly data?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the title of the table with a more specific text. It must not contain secrets or personal data. */
  readonly message?: string;
  readonly cause?: unknown;
}

/** An error with two audiences: the caller sees `code` and `extras`; only the log shows the reason (`message`). */
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
