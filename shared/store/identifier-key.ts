import { createHash } from 'node:crypto';
import { identifierText, type KindAndValue } from '../domain/identifiers.ts';

/**
 * The key of an identifier in claims and look-ups: the first 64 bits of SHA-256 over kind and value, as a
 * signed decimal. Nobody can construct two identifiers with one key; by chance two of a hundred million
 * meet once in about 3,700 registries.
 */
export function identifierKey(identifier: KindAndValue): string {
  const digest = createHash('sha256').update(identifierText(identifier)).digest();
  return digest.readBigInt64BE(0).toString();
}
