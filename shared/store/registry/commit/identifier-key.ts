import { hash } from 'node:crypto';
import { IDENTIFIER_KINDS, type IdentifierKind } from '../../../contract/enums.ts';
import {
  type Identifiers,
  identifierText,
  type KindAndValue,
} from '../../../domain/identifiers.ts';

const KEY_BYTES = 8;
const scratch = new DataView(new ArrayBuffer(KEY_BYTES));

/**
 * The key of an identifier in claims and look-ups: the first 64 bits of SHA-256 over kind and value, as a
 * signed decimal. Nobody can construct two identifiers with one key; by chance two of a hundred million
 * meet once in about 3,700 registries.
 */
export function identifierKey(identifier: KindAndValue): string {
  writeKey(scratch, 0, identifier.kind, identifier.value);
  return scratch.getBigInt64(0).toString();
}

/** What stands before the value in the text of an identifier. */
const PREFIXES = Object.fromEntries(
  IDENTIFIER_KINDS.map((kind) => [kind, identifierText({ kind, value: '' })]),
) as Record<IdentifierKind, string>;
const INT8_OID = 20;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const ELEMENT_BYTES = LENGTH_BYTES + KEY_BYTES;

/** Keys as a `bigint[]` in PostgreSQL's binary form, which neither side makes decimals for; to be handed over. */
export function keyArray(identifiers: readonly KindAndValue[]): Buffer {
  const keys = new KeyArray(identifiers.length);
  for (const { kind, value } of identifiers) keys.add(kind, value);
  return keys.end();
}

/** The keys of all that vehicles bear, each made once: who has looked them up asks for most of them again. */
export class BorneKeys {
  readonly #vehicles: readonly Identifiers[];
  /** As `keyArray`, by vehicle and then by kind. */
  readonly array: Buffer;

  constructor(vehicles: readonly Identifiers[]) {
    const keys = new KeyArray(vehicles.length * IDENTIFIER_KINDS.length);
    for (const vehicle of vehicles) keys.addAll(vehicle);
    this.#vehicles = vehicles;
    this.array = keys.end();
  }

  /** As `keyArray` of all that the vehicles bear and of the others. What comes in the order of the own vehicles is not made again. */
  arrayOf(vehicles: readonly Identifiers[], others: readonly KindAndValue[]): Buffer {
    const keys = new KeyArray(vehicles.length * IDENTIFIER_KINDS.length + others.length);
    let next = 0;
    let at = HEADER_BYTES;
    for (const own of this.#vehicles) {
      const asked = vehicles[next];
      const isAsked = asked !== undefined && areSame(asked, own);
      for (const kind of IDENTIFIER_KINDS) {
        if (own[kind] === null) continue;
        if (isAsked) keys.copy(this.array, at);
        at += ELEMENT_BYTES;
      }
      if (isAsked) next += 1;
    }
    for (const vehicle of vehicles.slice(next)) keys.addAll(vehicle);
    for (const { kind, value } of others) keys.add(kind, value);
    return keys.end();
  }
}

function areSame(one: Identifiers, other: Identifiers): boolean {
  return IDENTIFIER_KINDS.every((kind) => one[kind] === other[kind]);
}

class KeyArray {
  readonly #array: Buffer;
  readonly #view: DataView;
  #end = HEADER_BYTES;
  #length = 0;

  constructor(lengthMax: number) {
    this.#array = Buffer.allocUnsafe(HEADER_BYTES + lengthMax * ELEMENT_BYTES);
    const { buffer, byteOffset, byteLength } = this.#array;
    this.#view = new DataView(buffer, byteOffset, byteLength);
  }

  add(kind: IdentifierKind, value: string): void {
    this.#view.setInt32(this.#end, KEY_BYTES);
    writeKey(this.#view, this.#end + LENGTH_BYTES, kind, value);
    this.#end += ELEMENT_BYTES;
    this.#length += 1;
  }

  addAll(vehicle: Identifiers): void {
    for (const kind of IDENTIFIER_KINDS) {
      const value = vehicle[kind];
      if (value !== null) this.add(kind, value);
    }
  }

  /** The element that begins there in another array. */
  copy(array: Buffer, at: number): void {
    this.#view.setInt32(this.#end, KEY_BYTES);
    this.#view.setInt32(this.#end + LENGTH_BYTES, array.readInt32BE(at + LENGTH_BYTES));
    this.#view.setInt32(this.#end + 2 * LENGTH_BYTES, array.readInt32BE(at + 2 * LENGTH_BYTES));
    this.#end += ELEMENT_BYTES;
    this.#length += 1;
  }

  end(): Buffer {
    const [dimensions, hasNulls, lowerBound] = [1, 0, 1];
    let at = 0;
    for (const field of [dimensions, hasNulls, INT8_OID, this.#length, lowerBound]) {
      this.#view.setInt32(at, field);
      at += LENGTH_BYTES;
    }
    return this.#array.subarray(0, this.#end);
  }
}

/** The keys of such an array as texts that compare. */
export function* keysIn(array: Buffer): Generator<string> {
  for (let at = HEADER_BYTES + LENGTH_BYTES; at < array.length; at += ELEMENT_BYTES) {
    yield array.toString('latin1', at, at + KEY_BYTES);
  }
}

/**
 * Made again each time: to keep keys costs as much as the digest, and the collector more. Through a text of one character a
 * byte: a buffer outside the heap for each digest costs several times the digest.
 */
function writeKey(view: DataView, at: number, kind: IdentifierKind, value: string): void {
  const digest = hash('sha256', PREFIXES[kind] + value, 'binary');
  for (let byte = 0; byte < KEY_BYTES; byte += 1) {
    view.setUint8(at + byte, digest.charCodeAt(byte));
  }
}
