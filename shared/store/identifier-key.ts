import { hash } from 'node:crypto';
import { identifierText, type KindAndValue } from '../domain/identifiers.ts';

const KEY_BYTES = 8;
const scratch = new DataView(new ArrayBuffer(KEY_BYTES));

/** The key of an identifier (`identifierKey`) as a text of one character a byte. */
export type KeyBytes = string & { readonly __brand: 'KeyBytes' };

/**
 * Made again each time: to keep keys costs as much as the digest, and the collector more. Through a text of one character a
 * byte: a buffer outside the heap for each digest costs several times the digest.
 */
export function keyBytes(identifier: KindAndValue): KeyBytes {
  return hash('sha256', identifierText(identifier), 'binary').slice(0, KEY_BYTES) as KeyBytes;
}

/**
 * The key of an identifier in claims and look-ups: the first 64 bits of SHA-256 over kind and value, as a
 * signed decimal. Nobody can construct two identifiers with one key; by chance two of a hundred million
 * meet once in about 3,700 registries.
 */
export function identifierKey(identifier: KindAndValue): string {
  writeKey(scratch, 0, keyBytes(identifier));
  return scratch.getBigInt64(0).toString();
}

const INT8_OID = 20;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/** A `bigint[]` in PostgreSQL's binary form, which neither side makes decimals for; to be handed over. */
export function keyArray(keys: readonly KeyBytes[]): Buffer {
  const array = Buffer.allocUnsafe(HEADER_BYTES + keys.length * (LENGTH_BYTES + KEY_BYTES));
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  const [dimensions, hasNulls, lowerBound] = [1, 0, 1];
  let at = 0;
  for (const field of [dimensions, hasNulls, INT8_OID, keys.length, lowerBound]) {
    view.setInt32(at, field);
    at += LENGTH_BYTES;
  }
  for (const key of keys) {
    view.setInt32(at, KEY_BYTES);
    writeKey(view, at + LENGTH_BYTES, key);
    at += LENGTH_BYTES + KEY_BYTES;
  }
  return array;
}

function writeKey(view: DataView, at: number, key: KeyBytes): void {
  for (let byte = 0; byte < KEY_BYTES; byte += 1) view.setUint8(at + byte, key.charCodeAt(byte));
}
