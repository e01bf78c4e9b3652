import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { TransmissionKind } from '../../../shared/contract/enums.ts';

/** The RFC 8785 form of JSON that `readJson` accepted. */
export function canonicalJson(sent: object): string {
  const canonical = canonicalize(sent);
  if (canonical === undefined) throw new Error('the value is not JSON');
  return canonical;
}

/** SHA-256 over operation, target record and the JSON as sent, all in the RFC 8785 form (D5). */
export function requestHash(kind: TransmissionKind, target: string | null, body: object): Buffer {
  return createHash('sha256')
    .update(canonicalJson({ operation: kind, target, body }))
    .digest();
}
