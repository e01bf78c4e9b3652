import { createReadStream } from 'node:fs';
import { UsageError } from './exit-codes.ts';

const LINE_FEED = 0x0a;
const BOM = '\uFEFF';

/**
 * The lines of a UTF-8 file without the line feed that ends them; a carriage return before it stays. Only a line feed ends a line:
 * U+2028 is text. A byte order mark is passed over. Throws UsageError that names line, column and the likely encoding.
 */
export async function* readLines(file: string): AsyncGenerator<string> {
  let number = 0;
  for await (const line of readRawLines(file)) yield decodeLine(line, ++number);
}

/** Lines as bytes, without the line feed that ends them, whatever they are encoded in. */
export async function* readRawLines(file: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED, start)) {
      yield rest.subarray(start, end);
      start = end + 1;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) yield rest;
}

/** The text of a UTF-8 file that is in memory. Throws as `readLines` does. */
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

/** A multi-byte character holds no byte of a line feed, so every line can be decoded by itself. */
function decodeLine(bytes: Buffer, number: number): string {
  const text = bytes.toString('utf8');
  const wrong = bytes.includes(0) ? bytes.indexOf(0) : firstWrongByte(bytes, text);
  if (wrong === undefined) return number === 1 && text.startsWith(BOM) ? text.slice(1) : text;
  const column = Array.from(bytes.subarray(0, wrong).toString('utf8')).length + 1;
  throw new UsageError(
    `Line ${number}, column ${column}: this is not UTF-8; the file is probably ${likelyEncoding(bytes)}. Save it as UTF-8 and run this again.`,
  );
}

/** Where decoding had to put U+FFFD for bytes that are no character; undefined when all are. */
function firstWrongByte(bytes: Buffer, text: string): number | undefined {
  const again = Buffer.from(text, 'utf8');
  if (again.equals(bytes)) return undefined;
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  // Back to the first byte of the character.
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

function likelyEncoding(bytes: Buffer): string {
  return bytes.includes(0) ? 'UTF-16' : 'windows-1252 (what spreadsheets call ANSI)';
}
