import { hash } from 'node:crypto';
import type { IdentifierKind } from '../contract/enums.ts';
import { identifierText, type KindAndValue } from '../domain/identifiers.ts';

/**
 * The key of an identifier in claims and look-ups: the first 64 bits of SHA-256 over kind and value, as a
 * signed decimal. Nobody can construct two identifiers with one key; by chance two of a hundred million
 * meet once in about 3,700 registries.
 */
export function identifierKey(identifier: KindAndValue): string {
  const { kind, value } = identifier;
  const kept = keptKeys[kind];
  const known = kept.latest.get(value);
  if (known !== undefined) return known;
  const key = kept.earlier.get(value) ?? digestKey(identifierText(identifier));
  if (kept.latest.size === KEPT_MAX) [kept.earlier, kept.latest] = [kept.latest, new Map()];
  kept.latest.set(value, key);
  return key;
}

/** By value: a text made for each look-up costs more than the look-up. */
interface Kept {
  latest: Map<string, string>;
  earlier: Map<string, string>;
}

// Each is asked for several times while one transmission is decided; kept for the largest certificates of a batch.
// A cache that keeps the order of use costs as much as the digest.
const KEPT_MAX = 2_048;
const keptKeys: Readonly<Record<IdentifierKind, Kept>> = {
  plateNumber: { latest: new Map(), earlier: new Map() },
  mvFileNumber: { latest: new Map(), earlier: new Map() },
  engineNumber: { latest: new Map(), earlier: new Map() },
  chassisNumber: { latest: new Map(), earlier: new Map() },
};

const KEY_BYTES = 8;
const scratch = new DataView(new ArrayBuffer(KEY_BYTES));

/** Through a text of one character a byte: a buffer outside the heap for each digest costs several times the digest. */
function digestKey(text: string): string {
  const digest = hash('sha256', text, 'binary');
  for (let at = 0; at < KEY_BYTES; at += 1) scratch.setUint8(at, digest.charCodeAt(at));
  return scratch.getBigInt64(0).toString();
}
