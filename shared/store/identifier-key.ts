import { hash } from 'node:crypto';
import { identifierText, type KindAndValue } from '../domain/identifiers.ts';

/**
 * The key of an identifier in claims and look-ups: the first 64 bits of SHA-256 over kind and value, as a
 * signed decimal. Nobody can construct two identifiers with one key; by chance two of a hundred million
 * meet once in about 3,700 registries.
 */
export function identifierKey(identifier: KindAndValue): string {
  const text = identifierText(identifier);
  const known = latest.get(text);
  if (known !== undefined) return known;
  const key = earlier.get(text) ?? hash('sha256', text, 'buffer').readBigInt64BE(0).toString();
  if (latest.size === KEPT_MAX) [earlier, latest] = [latest, new Map()];
  latest.set(text, key);
  return key;
}

// Each is asked for several times while one transmission is decided; kept for the largest certificates of a batch.
// A cache that keeps the order of use costs as much as the digest.
const KEPT_MAX = 8_192;
let latest = new Map<string, string>();
let earlier = new Map<string, string>();
