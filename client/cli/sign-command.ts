import { randomBytes } from 'node:crypto';
import {
  canonicalString,
  SIGNATURE_HEADER_NAMES,
  type SignedParts,
  sign,
} from '../../shared/contract/machine/signing.ts';
import type { ClientCredentials } from './credentials.ts';

export interface SignRequest {
  readonly method: string;
  /** Path and query as sent, or a URL with both. */
  readonly target: string;
  readonly body: Uint8Array;
  readonly timestamp?: string | undefined;
  readonly nonce?: string | undefined;
}

export interface SignedHeaders {
  /** `Name: value`, the form that curl expects. */
  readonly headers: readonly string[];
  readonly canonicalString: string;
}

/** The four signature headers of a request and the string that was signed, for comparison with another implementation. */
export function makeSignedHeaders(
  { clientId, signingSecret }: ClientCredentials,
  request: SignRequest,
): SignedHeaders {
  const parts: SignedParts = {
    method: request.method.toUpperCase(),
    target: targetOf(request.target),
    timestamp: request.timestamp ?? String(Math.floor(Date.now() / 1_000)),
    nonce: request.nonce ?? randomBytes(16).toString('hex'),
    body: request.body,
  };
  const values = {
    clientId,
    timestamp: parts.timestamp,
    nonce: parts.nonce,
    signature: sign(signingSecret, parts),
  };
  const headers = Object.entries(SIGNATURE_HEADER_NAMES).map(
    ([part, name]) => `${name}: ${values[part as keyof typeof values]}`,
  );
  return { headers, canonicalString: canonicalString(parts) };
}

function targetOf(target: string): string {
  if (!/^https?:\/\//i.test(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}
