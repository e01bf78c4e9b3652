import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The header names of a signed request (api.md, "Machine API"). */
export const SIGNATURE_HEADERS = {
  clientId: 'x-ppai-client-id',
  timestamp: 'x-ppai-timestamp',
  nonce: 'x-ppai-nonce',
  signature: 'x-ppai-signature',
} as const;

/** The same names as documents write them. */
export const SIGNATURE_HEADER_NAMES = {
  clientId: 'X-PPAI-Client-Id',
  timestamp: 'X-PPAI-Timestamp',
  nonce: 'X-PPAI-Nonce',
  signature: 'X-PPAI-Signature',
} as const satisfies Record<keyof typeof SIGNATURE_HEADERS, string>;

export const TIMESTAMP_SKEW_SECONDS = 300;
export const NONCE_LIFETIME_SECONDS = 600;
export const NONCE_PATTERN = /^[\x21-\x7e]{16,64}$/;
export const TIMESTAMP_PATTERN = /^\d{1,12}$/;
export const SIGNATURE_PATTERN = /^[0-9a-f]{64}$/;

export interface SignedParts {
  readonly method: string;
  /** Path and query exactly as on the request line. */
  readonly target: string;
  /** Unix time in seconds, in the digits that were sent. */
  readonly timestamp: string;
  readonly nonce: string;
  /** The raw bytes of the body; empty for a request without a body (D19). */
  readonly body: Uint8Array;
}

/** Lowercase hex HMAC-SHA256 under the UTF-8 signing secret (api.md, "Machine API", 3; D19). */
export function sign(signingSecret: string, parts: SignedParts): string {
  return createHmac('sha256', signingSecret).update(canonicalString(parts)).digest('hex');
}

/** Compares in constant time. False for a signature that is not 64 lowercase hex digits. */
export function isSignatureOf(
  signature: string,
  signingSecret: string,
  parts: SignedParts,
): boolean {
  if (!SIGNATURE_PATTERN.test(signature)) return false;
  return timingSafeEqual(
    Buffer.from(signature, 'hex'),
    Buffer.from(sign(signingSecret, parts), 'hex'),
  );
}

/** The five signed parts joined by newlines. */
export function canonicalString(parts: SignedParts): string {
  return [
    parts.method,
    parts.target,
    parts.timestamp,
    parts.nonce,
    createHash('sha256').update(parts.body).digest('hex'),
  ].join('\n');
}
