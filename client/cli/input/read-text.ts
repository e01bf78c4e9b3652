import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { UsageError } from '../exit-codes.ts';

export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const LINE_FEED = 0x0a;
const BOM = '\uFEFF';
const NO_CHARACTER = '\uFFFD';
/** The characters of the bytes 0x80 to 0x9F. Five bytes have none. */
const WINDOWS_1252 = '€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ';

/**
 * The lines of a text file without their line feed; a carriage return before it is kept. Only a line feed ends a line: U+2028 is
 * text. A byte order mark is skipped. Throws UsageError that names the line, the column and the likely encoding.
 */
export async function* readLines(
  file: string,
  encoding: Encoding = 'utf-8',
): AsyncGenerator<string> {
  if (encoding === 'utf-16') {
    yield* readUtf16Lines(file);
    return;
  }
  const decode = encoding === 'utf-8' ? decodeLine : decodeWindowsLine;
  let number = 0;
  for await (const line of readRawLines(file)) yield decode(line, ++number);
}

/** The lines of a file as bytes in any encoding that contains ASCII, without their line feed. */
export async function* readRawLines(file: string): AsyncGenerator<Buffer> {
  // The parts of a line that is not complete yet: it may be as long as the file.
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield joined(parts, chunk.subarray(start, end));
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

function joined(parts: readonly Buffer[], last: Buffer): Buffer {
  return parts.length === 0 ? last : Buffer.concat([...parts, last]);
}

/** Decodes UTF-8 text in memory. Throws as `readLines` does. */
export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  const lines: string[] = [];
  let start = 0;
  for (;;) {
    const end = buffer.indexOf(LINE_FEED, start);
    lines.push(decodeLine(buffer.subarray(start, end === -1 ? undefined : end), lines.length + 1));
    if (end === -1) return lines.join('\n');
    start = end + 1;
  }
}

/** Each line can be decoded separately, because no multi-byte character contains the byte of a line feed. */
function decodeLine(bytes: Buffer, number: number): string {
  const text = bytes.toString('utf8');
  const wrong = bytes.includes(0) ? bytes.indexOf(0) : findInvalidByte(bytes, text);
  if (wrong === undefined) return withoutBom(text, number);
  const column = Array.from(bytes.subarray(0, wrong).toString('utf8')).length + 1;
  const [likely, name] = bytes.includes(0)
    ? ['utf-16', 'UTF-16']
    : ['windows-1252', 'windows-1252 (spreadsheets call it ANSI)'];
  throw new UsageError(
    `Line ${number}, column ${column} is not UTF-8; the file is probably ${name}. Save it as UTF-8 (in Excel: "CSV UTF-8"), or run the command again with --encoding ${likely}.`,
  );
}

/** Own table, because TextDecoder reads windows-1252 as ISO 8859-1 in some releases of Node. */
function decodeWindowsLine(bytes: Buffer, number: number): string {
  const text = bytes
    .toString('latin1')
    .replace(/[\u0080-\u009F]/g, (byte) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? NO_CHARACTER);
  // A mark of UTF-8 and a zero byte of UTF-16 show another encoding.
  const column = text.search(/[\0\uFFFD]|ï»¿/) + 1;
  if (column === 0) return text;
  throw new UsageError(
    `Line ${number}, column ${column} is not windows-1252. Run the command again without --encoding.`,
  );
}

async function* readUtf16Lines(file: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let parts: string[] = [];
  let number = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const isBigEndian = chunk[0] === 0xfe && chunk[1] === 0xff;
    decoder ??= new TextDecoder(isBigEndian ? 'utf-16be' : 'utf-16le', { fatal: true });
    const [end = '', ...starts] = decodeUtf16(decoder, chunk, number).split('\n');
    parts.push(end);
    for (const start of starts) {
      yield requireText(parts.join(''), ++number);
      parts = [start];
    }
  }
  const rest = parts.join('') + decodeUtf16(decoder, undefined, number);
  if (rest !== '') yield requireText(rest, number + 1);
}

function decodeUtf16(decoder: TextDecoder | undefined, chunk: Buffer | undefined, lines: number) {
  try {
    return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? '';
  } catch {
    throw new UsageError(`The file is not UTF-16 after line ${lines}. Check --encoding.`);
  }
}

/** Text of one byte per character, read as UTF-16, becomes characters of other scripts and has no line feeds. */
function requireText(line: string, number: number): string {
  const column = line.search(/[\0\u0A00\u0A0D\u0D0A]/) + 1;
  if (column === 0) return line;
  throw new UsageError(
    `Line ${number}, column ${column} is not UTF-16. Run the command again without --encoding.`,
  );
}

function withoutBom(text: string, number: number): string {
  return number === 1 && text.startsWith(BOM) ? text.slice(1) : text;
}

/** The position of the first byte that decoding replaced by U+FFFD; undefined when all bytes are valid. */
function findInvalidByte(bytes: Buffer, text: string): number | undefined {
  const again = Buffer.from(text, 'utf8');
  if (again.equals(bytes)) return undefined;
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  // An incomplete character begins before the byte that shows it.
  let start = at;
  while (start > 0 && isContinuation(bytes[start])) start -= 1;
  return (bytes[start] ?? 0) >= 0xc0 ? start : at;
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
