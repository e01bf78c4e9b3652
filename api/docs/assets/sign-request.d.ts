import type { webcrypto } from 'node:crypto';

interface SignedParts {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Uint8Array;
}

export function canonicalString(
  subtle: webcrypto.SubtleCrypto,
  parts: SignedParts,
): Promise<string>;
export function signRequest(
  subtle: webcrypto.SubtleCrypto,
  signingSecret: string,
  parts: SignedParts,
): Promise<string>;
