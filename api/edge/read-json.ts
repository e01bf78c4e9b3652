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
  const excess = findExcess(bytes);
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
  const flaw = mayHideFlaw(text) ? findFlaw(value) : undefined;
  return flaw === undefined ? { value: value as JsonObject } : refused(flaw.message, flaw.path);
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Looks at the bytes before they are parsed: nesting and number of members are what parsing would pay for. */
function findExcess(bytes: Uint8Array): string | undefined {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      depth += 1;
      if (depth > NESTING_MAX) return `The body is nested deeper than ${NESTING_MAX} levels.`;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      depth -= 1;
    } else if (byte === COMMA) {
      members += 1;
      if (members > MEMBERS_MAX) return `The body has more than ${MEMBERS_MAX} members.`;
    }
  }
  return undefined;
}

/** The closing quote, or the end of the bytes. */
function endOfString(bytes: Uint8Array, openingQuote: number): number {
  let at = openingQuote + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** With an exponent or hundreds of digits, and so perhaps not finite. What only looks so inside a text does no harm. */
const UNBOUNDED_NUMBER = /[:[,]\s*-?\d(?:\d{299}|[\d.]*[eE])/;

/** Without these, valid JSON that was valid UTF-8 has no flaw; most bodies have none of them, and are not walked. */
function mayHideFlaw(text: string): boolean {
  return text.includes('\\') || text.includes('__proto__') || UNBOUNDED_NUMBER.test(text);
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
