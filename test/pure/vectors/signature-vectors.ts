import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignedParts } from '../../../shared/contract/machine/signing.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';

export interface SignatureVector {
  readonly name: string;
  readonly signingSecret: string;
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly bodyHex: string;
  /** The body is `bodyHex` this many times. Default: once. */
  readonly bodyRepeats?: number;
  readonly bodyDigest: string;
  readonly signature: string;
}

/** The file that the clients of all languages read. */
export const SIGNATURE_VECTORS_FILE = join(findProjectRoot(), 'test/pure/vectors/signature.json');

/** A client must make the signature of each of `cases`. The registry refuses each signature of `refused`. */
export const SIGNATURE_VECTORS = JSON.parse(readFileSync(SIGNATURE_VECTORS_FILE, 'utf8')) as {
  readonly cases: readonly SignatureVector[];
  readonly refused: readonly SignatureVector[];
};

export function partsOf(vector: SignatureVector): SignedParts {
  const { method, target, timestamp, nonce, bodyHex, bodyRepeats = 1 } = vector;
  const piece = Buffer.from(bodyHex, 'hex');
  return {
    method,
    target,
    timestamp,
    nonce,
    body: Buffer.concat(Array.from({ length: bodyRepeats }, () => piece)),
  };
}
