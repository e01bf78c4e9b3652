import { type Finding, makeFinding } from '../../../shared/contract/findings.ts';
import { type PathPart, pathOf } from '../schema/field-path.ts';
import {
  COLON,
  COMMA,
  checkJsonText,
  endOfNumber,
  endOfString,
  isDigit,
  nestingStep,
  QUOTE,
} from './json-text.ts';

export const NESTING_MAX = 32;
/** Members and elements together; the largest transmission has some ten thousand. */
export const MEMBERS_MAX = 100_000;
/** Maximum number of repeated members that are reported. */
export const REPEATED_MEMBERS_MAX = 100;

export type JsonObject = { readonly [member: string]: unknown };

/** A valid body. */
export interface ReadJson {
  readonly value: JsonObject;
  /** Paths of the numbers whose value differs from the text (D32). Usually empty. */
  readonly inexactNumbers: readonly (readonly PathPart[])[];
}

export type JsonReading =
  | (ReadJson & { readonly findings?: never })
  | { readonly value?: never; readonly findings: readonly Finding[] };

/**
 * Parses bytes into a JSON object that is safe to hash, compare and store: no depth can exhaust the stack, and no text is
 * accepted that PostgreSQL or RFC 8785 refuses. Findings name the path and never quote a value (D6).
 */
export function readJson(bytes: Uint8Array): JsonReading {
  const refused = (message: string, path: readonly PathPart[] = []): JsonReading => ({
    findings: [makeFinding('INVALID_FORMAT', pathOf(path), message)],
  });

  if (bytes.length === 0) return refused('The body is empty; a JSON object is expected.');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return refused('The body begins with a byte order mark; send UTF-8 without one.');
  const { excess, hasUnusualNumber, names } = scan(bytes);
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
  const problem = hasUnusualNumber || mayHaveProblem(text) ? findProblem(value) : undefined;
  if (problem !== undefined) return refused(problem.message, problem.path);
  if (!hasUnusualNumber && countMembers(value) === names)
    return { value: value as JsonObject, inexactNumbers: [] };
  const { repeated, inexact } = checkJsonText(bytes);
  if (repeated.length > 0) return { findings: repeatedFindings(repeated) };
  return { value: value as JsonObject, inexactNumbers: inexact };
}

/** Repeated members are refused, because parsers differ in which one they keep (RFC 8259, 4; RFC 7493, 2.3). */
function repeatedFindings(repeated: readonly (readonly PathPart[])[]): Finding[] {
  const fields = new Set(repeated.map(pathOf));
  return [...fields]
    .slice(0, REPEATED_MEMBERS_MAX)
    .map((field) => makeFinding('INVALID_FORMAT', field, 'This member is given more than once.'));
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const UPPER_E = 0x45;
const LOWER_E = 0x65;
/** A number without an exponent and with at most this many characters is always read exactly. */
const EXACT_CHARACTERS = 15;

interface Scan {
  readonly excess?: string;
  /** Whether there is a number with an exponent or many digits, which may not be finite or exact. */
  readonly hasUnusualNumber?: boolean;
  /** Number of member names, repeated ones included. */
  readonly names?: number;
}

/** Checks the bytes before parsing, because deep nesting and many members would make parsing expensive. */
function scan(bytes: Uint8Array): Scan {
  let depth = 0;
  let members = 0;
  let names = 0;
  let hasUnusualNumber = false;
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
      hasUnusualNumber ||= isUnusual(bytes.subarray(at, end));
      at = end - 1;
    }
  }
  return { hasUnusualNumber, names };
}

function isUnusual(number: Uint8Array): boolean {
  return number.length > EXACT_CHARACTERS || number.includes(LOWER_E) || number.includes(UPPER_E);
}

/** Recursion is bounded by NESTING_MAX, which `scan` has checked. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) count += countMembers(inner);
  return count;
}

/** Only a body with one of these or with an unusual number can have a problem, so most bodies need no search. */
function mayHaveProblem(text: string): boolean {
  return text.includes('\\') || text.includes('__proto__');
}

interface Problem {
  readonly message: string;
  readonly path: readonly PathPart[];
}

interface Level {
  readonly entries: readonly (readonly [PathPart, unknown])[];
  at: number;
}

/** Searches without recursion. The open levels form the path. */
function findProblem(root: object): Problem | undefined {
  const levels: Level[] = [levelOf(root)];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const entry = level.entries[level.at];
    if (entry === undefined) {
      levels.pop();
      continue;
    }
    level.at += 1;
    const [part, value] = entry;
    const message =
      (typeof part === 'string' ? findNameProblem(part) : undefined) ?? findValueProblem(value);
    if (message !== undefined)
      return { message, path: levels.map(({ entries, at }) => entries[at - 1]?.[0] ?? '') };
    if (typeof value === 'object' && value !== null) levels.push(levelOf(value));
  }
  return undefined;
}

function levelOf(value: object): Level {
  return { entries: Array.isArray(value) ? [...value.entries()] : Object.entries(value), at: 0 };
}

function findNameProblem(name: string): string | undefined {
  if (name === '__proto__') return 'A member of this name is not accepted.';
  return findTextProblem(name) === undefined
    ? undefined
    : 'A member name contains a character that is not accepted.';
}

function findValueProblem(value: unknown): string | undefined {
  if (typeof value === 'string') return findTextProblem(value);
  return typeof value === 'number' && !Number.isFinite(value)
    ? 'The number is too large.'
    : undefined;
}

export function findTextProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'The character U+0000 is not accepted.';
  return text.isWellFormed() ? undefined : 'A surrogate without its counterpart is not accepted.';
}
