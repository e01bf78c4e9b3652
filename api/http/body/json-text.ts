import { survivesReading } from '../../../shared/contract/decimal.ts';
import type { PathPart } from '../schema/field-path.ts';

/** Properties of a JSON text that its parsed value no longer shows. */
export interface TextFindings {
  /** Paths of repeated members. */
  readonly repeated: readonly (readonly PathPart[])[];
  /** Paths of numbers whose value changed when they were read. */
  readonly inexact: readonly (readonly PathPart[])[];
}

/** The text must be valid JSON. */
export function checkJsonText(bytes: Uint8Array): TextFindings {
  const levels: Level[] = [];
  const repeated: PathPart[][] = [];
  const inexact: PathPart[][] = [];
  const path = () => levels.map(({ part }) => part);
  for (const { byte, text } of tokensOf(bytes)) {
    const level = levels.at(-1);
    if (byte === COMMA && level !== undefined) advance(level);
    else if (byte === QUOTE && level?.isNameNext) {
      if (isRepeated(level, JSON.parse(text) as string)) repeated.push(path());
    } else if (isOpening(byte)) levels.push(levelOf(byte));
    else if (isClosing(byte)) levels.pop();
    else if (byte !== QUOTE && text !== '' && !survivesReading(text)) inexact.push(path());
  }
  return { repeated, inexact };
}

interface Level {
  /** The current member or element. */
  part: PathPart;
  /** The members of an object so far; empty for an array. */
  readonly names: Set<string>;
  isNameNext: boolean;
}

function levelOf(opening: number): Level {
  const isObject = opening === OPENING_BRACE;
  return { part: isObject ? '' : 0, names: new Set(), isNameNext: isObject };
}

/** Moves to the next member or element. */
function advance(level: Level): void {
  if (typeof level.part === 'number') level.part += 1;
  else level.isNameNext = true;
}

/** Adds the name, and returns whether the object already had it. */
function isRepeated(level: Level, name: string): boolean {
  const isKnown = level.names.has(name);
  level.names.add(name);
  level.part = name;
  level.isNameNext = false;
  return isKnown;
}

interface Token {
  /** The first byte. */
  readonly byte: number;
  /** The text of a string or number; empty for punctuation. */
  readonly text: string;
}

function* tokensOf(bytes: Uint8Array): Generator<Token> {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      const end = endOfString(bytes, at) + 1;
      yield { byte, text: textOf(bytes, at, end) };
      at = end - 1;
    } else if (byte === MINUS || isDigit(byte)) {
      const end = endOfNumber(bytes, at);
      yield { byte, text: textOf(bytes, at, end) };
      at = end - 1;
    } else if (byte === COMMA || nestingStep(byte) !== 0) yield { byte, text: '' };
  }
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');
}

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
const MINUS = 0x2d;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

function isOpening(byte: number): boolean {
  return byte === OPENING_BRACE || byte === OPENING_BRACKET;
}

function isClosing(byte: number): boolean {
  return byte === CLOSING_BRACE || byte === CLOSING_BRACKET;
}

/** The change of depth by a byte outside strings: 1, -1 or 0. */
export function nestingStep(byte: number): number {
  if (isOpening(byte)) return 1;
  return isClosing(byte) ? -1 : 0;
}

/** The position of the closing quote, or the end of the bytes. */
export function endOfString(bytes: Uint8Array, openingQuote: number): number {
  let at = openingQuote + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** The position of the first byte after the number. */
export function endOfNumber(bytes: Uint8Array, first: number): number {
  let at = first + 1;
  while (isDigit(bytes[at]) || IN_NUMBERS.has(bytes[at] ?? 0)) at += 1;
  return at;
}

/** `+`, `-`, `.`, `E` and `e`. */
const IN_NUMBERS = new Set([0x2b, MINUS, 0x2e, 0x45, 0x65]);
