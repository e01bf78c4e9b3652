import { type Finding, makeFinding } from '../../../shared/contract/findings.ts';
import { type PathPart, pathOf } from '../schema/field-path.ts';
import {
  COLON,
  COMMA,
  endOfNumber,
  endOfString,
  isDigit,
  lookThroughText,
  nestingStep,
  QUOTE,
} from './json-text.ts';

export const NESTING_MAX = 32;
/** Members and elements together; the largest transmission has some ten thousand. */
export const MEMBERS_MAX = 100_000;
/** Places that are listed of members that are given more than once. */
export const REPEATED_MEMBERS_MAX = 100;

export type JsonObject = { readonly [member: string]: unknown };

/** A body that was read. */
export interface ReadJson {
  readonly value: JsonObject;
  /** Places of the numbers whose value is not that of the text as sent (D32). Mostly none. */
  readonly inexactNumbers: readonly (readonly PathPart[])[];
}

export type JsonReading =
  | (ReadJson & { readonly findings?: never })
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
  const { excess, hasOddNumber, names } = scan(bytes);
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
  if (flaw !== undefined) return refused(flaw.message, flaw.path);
  if (!hasOddNumber && countMembers(value) === names)
    return { value: value as JsonObject, inexactNumbers: [] };
  const { repeated, inexact } = lookThroughText(bytes);
  if (repeated.length > 0) return { findings: repeatedFindings(repeated) };
  return { value: value as JsonObject, inexactNumbers: inexact };
}

/** Of two members of one name a reader keeps one, and not every reader the same (RFC 8259, 4; RFC 7493, 2.3). */
function repeatedFindings(repeated: readonly (readonly PathPart[])[]): Finding[] {
  const fields = new Set(repeated.map(pathOf));
  return [...fields]
    .slice(0, REPEATED_MEMBERS_MAX)
    .map((field) => makeFinding('INVALID_FORMAT', field, 'This member is given more than once.'));
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const UPPER_E = 0x45;
const LOWER_E = 0x65;
/** A number of so many characters or fewer, without an exponent, is read as it is written. */
const EXACT_CHARACTERS = 15;

interface Scan {
  readonly excess?: string;
  /** One with an exponent or many digits, and so perhaps not finite or not exact, stands outside of texts. */
  readonly hasOddNumber?: boolean;
  /** Names of members, each as often as it is given. */
  readonly names?: number;
}

/** Looks at the bytes before they are parsed: nesting and number of members are what parsing would pay for. */
function scan(bytes: Uint8Array): Scan {
  let depth = 0;
  let members = 0;
  let names = 0;
  let hasOddNumber = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    depth += nestingStep(byte);
    if (depth > NESTING_MAX)
      return { excess: `The body is nested deeper than ${NESTING_MAX} levels.` };
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
    } else if (byte === COMMA) {
      members += 1;
      if (members > MEMBERS_MAX)
        return { excess: `The body has more than ${MEMBERS_MAX} members.` };
    } else if (byte === COLON) {
      names += 1;
    } else if (isDigit(byte)) {
      const end = endOfNumber(bytes, at);
      hasOddNumber ||= isOdd(bytes.subarray(at, end));
      at = end - 1;
    }
  }
  return { hasOddNumber, names };
}

function isOdd(number: Uint8Array): boolean {
  return number.length > EXACT_CHARACTERS || number.includes(LOWER_E) || number.includes(UPPER_E);
}

/** Goes no deeper than NESTING_MAX. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) count += countMembers(inner);
  return count;
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
