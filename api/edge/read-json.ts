import { type Finding, makeFinding } from '../../shared/contract/findings.ts';
import { type PathPart, pathOf } from './field-path.ts';

export const NESTING_MAX = 32;
/** Members and elements together; the largest transmission has some ten thousand. */
export const MEMBERS_MAX = 100_000;

export type JsonObject = { readonly [member: string]: unknown };

export type JsonReading =
  | { readonly value: JsonObject; readonly findings?: never }
  | { readonly value?: never; readonly findings: readonly Finding[] };

/**
 * Bytes → JSON object, safe to hash, to match and to store: no depth can exhaust the stack, no text that PostgreSQL or
 * RFC 8785 refuses gets past. Findings name the place and never quote a value (D6).
 */
export function readJson(bytes: Uint8Array): JsonReading {
  const refused = (message: string, path: readonly PathPart[] = []): JsonReading => ({
    findings: [makeFinding('INVALID_FORMAT', pathOf(path), message)],
  });

  if (bytes.length === 0) return refused('The body is empty; a JSON object is expected.');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return refused('The body begins with a byte order mark; send UTF-8 without one.');
  const { excess, hasOddNumber } = scan(bytes);
  if (excess !== undefined) return refused(excess);
  let text: string;
  let value: unknown;
  try {
    text = UTF_8.decode(bytes);
    value = JSON.parse(text);
  } catch (error) {
    return refused(
      error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.',
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused('A JSON object is expected.');
  const flaw = hasOddNumber || mayHideFlaw(text) ? findFlaw(value) : undefined;
  return flaw === undefined ? { value: value as JsonObject } : refused(flaw.message, flaw.path);
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
/** A number of so many digits or fewer is finite without an exponent. */
const DIGITS_FINITE = 300;

interface Scan {
  readonly excess?: string;
  /** One with an exponent or hundreds of digits, and so perhaps not finite, stands outside of texts. */
  readonly hasOddNumber?: boolean;
}

/** Looks at the bytes before they are parsed: nesting and number of members are what parsing would pay for. */
function scan(bytes: Uint8Array): Scan {
  let depth = 0;
  let members = 0;
  let hasOddNumber = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      depth += 1;
      if (depth > NESTING_MAX)
        return { excess: `The body is nested deeper than ${NESTING_MAX} levels.` };
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      depth -= 1;
    } else if (byte === COMMA) {
      members += 1;
      if (members > MEMBERS_MAX)
        return { excess: `The body has more than ${MEMBERS_MAX} members.` };
    } else if (isDigit(byte)) {
      const end = endOfDigits(bytes, at);
      hasOddNumber ||= mayBeInfinite(end - at, bytes[end]);
      at = end - 1;
    }
  }
  return { hasOddNumber };
}

/** The closing quote, or the end of the bytes. */
function endOfString(bytes: Uint8Array, openingQuote: number): number {
  let at = openingQuote + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** The first byte after the digits. */
function endOfDigits(bytes: Uint8Array, first: number): number {
  let at = first + 1;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function mayBeInfinite(digits: number, next: number | undefined): boolean {
  return digits > DIGITS_FINITE || next === LOWER_E || next === UPPER_E;
}

/** Without these and an odd number, valid JSON that was valid UTF-8 has no flaw; most bodies have none of them, and are not walked. */
function mayHideFlaw(text: string): boolean {
  return text.includes('\\') || text.includes('__proto__');
}

interface Flaw {
  readonly message: string;
  readonly path: readonly PathPart[];
}

interface Level {
  readonly entries: readonly (readonly [PathPart, unknown])[];
  at: number;
}

/** Walks without recursion; the open levels are the path. */
function findFlaw(root: object): Flaw | undefined {
  const levels: Level[] = [levelOf(root)];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const entry = level.entries[level.at];
    if (entry === undefined) {
      levels.pop();
      continue;
    }
    level.at += 1;
    const [part, value] = entry;
    const message = (typeof part === 'string' ? flawOfName(part) : undefined) ?? flawOfValue(value);
    if (message !== undefined)
      return { message, path: levels.map(({ entries, at }) => entries[at - 1]?.[0] ?? '') };
    if (typeof value === 'object' && value !== null) levels.push(levelOf(value));
  }
  return undefined;
}

function levelOf(value: object): Level {
  return { entries: Array.isArray(value) ? [...value.entries()] : Object.entries(value), at: 0 };
}

function flawOfName(name: string): string | undefined {
  if (name === '__proto__') return 'A member of this name is not accepted.';
  return flawOfText(name) === undefined
    ? undefined
    : 'A member name holds a character that is not accepted.';
}

function flawOfValue(value: unknown): string | undefined {
  if (typeof value === 'string') return flawOfText(value);
  return typeof value === 'number' && !Number.isFinite(value)
    ? 'The number is too large.'
    : undefined;
}

export function flawOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'The character U+0000 is not accepted.';
  return text.isWellFormed() ? undefined : 'A surrogate without its counterpart is not accepted.';
}
