import { ERRORS } from '../errors.ts';
import { NOT_MODIFIED_STATUS } from '../machine/access/not-modified.ts';
import { Acknowledgment } from '../machine/acknowledgment.ts';
import type { Endpoint } from '../machine/endpoints.ts';
import { REJECTION_CODES } from '../machine/rejection.ts';
import { ENVIRONMENT_HEADER } from '../machine/sandbox/clock.ts';
import { NONCE_LIFETIME_SECONDS, TIMESTAMP_SKEW_SECONDS } from '../machine/signing.ts';

const text = (description: string, example: string, required = true) => ({
  description,
  required,
  schema: { type: 'string' },
  example,
});

const RATE_LIMIT = 'The rest of the quota (IETF httpapi draft).';
const RATE_LIMIT_POLICY = 'The quota (IETF httpapi draft).';

/** `components.headers`. */
export const HEADERS = {
  RequestId: text(
    'The id of the request in logs: the id that you sent, or a new one.',
    'req-2026-10-01-0001',
  ),
  Environment: {
    ...text('Whether the registry itself answers, or a sandbox.', 'production'),
    schema: { type: 'string', enum: ['production', 'sandbox'] },
  },
  RateLimit: text(RATE_LIMIT, '"default";r=119;t=60'),
  RateLimitPolicy: text(RATE_LIMIT_POLICY, '"default";q=120;w=60'),
  RateLimitIfCounted: text(
    `${RATE_LIMIT} Absent when the request was refused before it was counted.`,
    '"default";r=119;t=60',
    false,
  ),
  RateLimitPolicyIfCounted: text(
    `${RATE_LIMIT_POLICY} Absent when the request was refused before it was counted.`,
    '"default";q=120;w=60',
    false,
  ),
  RetryAfter: {
    description: 'Whole seconds to wait before asking again.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 2,
  },
  RetryAfterInProgress: {
    description:
      'Whole seconds to wait before asking again, while the transmission is in progress.',
    required: false,
    schema: { type: 'integer', minimum: 0 },
    example: 30,
  },
  Location: text(
    'The path of the transmission.',
    '/api/v1/ppai/transmissions/PPAI-TX-2026-000000123',
  ),
  PreferenceApplied: text('The preference that was honoured (RFC 7240).', 'wait=10', false),
  ETag: text(
    'Names this state of `data`. Keep it with the answer and send it as If-None-Match.',
    'W/"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  ),
  ETagIfTerminal: text(
    'Names this acknowledgment. Present when the status is terminal.',
    'W/"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
    false,
  ),
  CacheControl: text('Always no-store.', 'no-store'),
  WwwAuthenticate: text(
    'How to authenticate. Present when the token or the credentials are wrong (RFC 9110).',
    'Bearer error="invalid_token"',
    false,
  ),
} as const;

type HeaderName = keyof typeof HEADERS;
const reference = (name: HeaderName) => ({ $ref: `#/components/headers/${name}` });

/** Authentication counts a request after its signature and before its scope and body (D19). */
const COUNTED = new Set([200, 201, 202, NOT_MODIFIED_STATUS, 404, 409, 422, 429]);

/** The headers of one answer. */
export function headersOf(endpoint: Endpoint, status: number): Record<string, object> {
  const isOutcome = status < 300 || isRejection(endpoint, status);
  const isLookup = endpoint.method === 'GET' && endpoint.replies[200]?.data === Acknowledgment;
  return {
    'X-Request-Id': reference('RequestId'),
    [ENVIRONMENT_HEADER]: reference('Environment'),
    ...(endpoint.authentication !== 'public' && rateHeaders(endpoint, status)),
    ...([202, 429, 500].includes(status) && { 'Retry-After': reference('RetryAfter') }),
    ...(endpoint.prefer &&
      (status === 409 || (status === 200 && isLookup)) && {
        'Retry-After': reference('RetryAfterInProgress'),
      }),
    ...entityTag(endpoint, status),
    ...(status === 401 && { 'WWW-Authenticate': reference('WwwAuthenticate') }),
    ...(status === 202 && { Location: reference('Location') }),
    ...(endpoint.prefer && isOutcome && { 'Preference-Applied': reference('PreferenceApplied') }),
    ...(endpoint.authentication === 'credentials' &&
      status === 200 && { 'Cache-Control': reference('CacheControl') }),
  };
}

function entityTag(endpoint: Endpoint, status: number): Record<string, object> {
  if (!(NOT_MODIFIED_STATUS in endpoint.replies)) return {};
  if (status === NOT_MODIFIED_STATUS) return { ETag: reference('ETag') };
  if (status !== 200) return {};
  return { ETag: reference(endpoint.prefer === true ? 'ETagIfTerminal' : 'ETag') };
}

function isRejection({ errors }: Endpoint, status: number): boolean {
  return errors.some((code) => REJECTION_CODES.has(code) && ERRORS[code].http === status);
}

function rateHeaders(endpoint: Endpoint, status: number): Record<string, object> {
  const isCounted = endpoint.authentication === 'signed' && COUNTED.has(status);
  return isCounted
    ? { RateLimit: reference('RateLimit'), 'RateLimit-Policy': reference('RateLimitPolicy') }
    : {
        RateLimit: reference('RateLimitIfCounted'),
        'RateLimit-Policy': reference('RateLimitPolicyIfCounted'),
      };
}

const header = (name: string, description: string) => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
});

/** api.md, "Machine API", 2. */
export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An opaque access token of the token endpoint, valid for 15 minutes.',
  },
  clientId: header('X-PPAI-Client-Id', 'Your public client id. It must match the token.'),
  timestamp: header(
    'X-PPAI-Timestamp',
    `Unix time in seconds, within ${TIMESTAMP_SKEW_SECONDS} seconds of the server's.`,
  ),
  nonce: header(
    'X-PPAI-Nonce',
    `16 to 64 random visible ASCII characters that you have not used in the last ${NONCE_LIFETIME_SECONDS} seconds. A retry needs a new nonce.`,
  ),
  signature: header(
    'X-PPAI-Signature',
    '64 lowercase hex digits: HMAC-SHA256 of the canonical string.',
  ),
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'Client id and client secret, if the body does not carry them.',
  },
} as const;

/** The token endpoint accepts credentials in the body or through Basic. A signed endpoint needs all five headers. */
export function securityOf({ authentication, scope }: Endpoint): object[] {
  if (authentication === 'public') return [];
  if (authentication === 'credentials') return [{}, { basic: [] }];
  return [
    {
      bearer: scope === null ? [] : [scope],
      clientId: [],
      timestamp: [],
      nonce: [],
      signature: [],
    },
  ];
}
