import { hash } from 'node:crypto';
import { identifierText, type KindAndValue } from '../domain/identifiers.ts';

const KEY_BYTES = 8;
const scratch = new DataView(new ArrayBuffer(KEY_BYTES));

/**
 * The key of an identifier in claims and look-ups: the first 64 bits of SHA-256 over kind and value, as a
 * signed decimal. Nobody can construct two identifiers with one key; by chance two of a hundred million
 * meet once in about 3,700 registries.
 *
 * Made again each time: to keep keys costs as much as the digest, and the collector more. Through a text of one character a
 * byte: a buffer outside the heap for each digest costs several times the digest.
 */
export function identifierKey(identifier: KindAndValue): string {
  const digest = hash('sha256', identifierText(identifier), 'binary');
  for (let at = 0; at < KEY_BYTES; at += 1) scratch.setUint8(at, digest.charCodeAt(at));
  return scratch.getBigInt64(0).toString();
}
