import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { COLUMNS, ERROR_COLUMNS } from './columns.ts';
import { type Encoding, readLines } from './read-text.ts';
import type { Table } from './table.ts';

export const DELIMITERS = [',', ';', '\t'] as const;
const BLOCK_CHARACTERS = 65_536;

export type Delimiter = (typeof DELIMITERS)[number];

/** The delimiter for which a heading has the most known columns, and the comma if it has none. */
export function detectDelimiter(heading: string): Delimiter {
  const known = new Set<string>([...COLUMNS, ...ERROR_COLUMNS]);
  const knownColumns = (delimiter: string) =>
    heading.split(delimiter).filter((cell) => known.has(cell.trim().replace(/^"(.*)"$/, '$1')))
      .length;
  return DELIMITERS.reduce((best, one) => (knownColumns(one) > knownColumns(best) ? one : best));
}

/** Reads the delimiter from the first line that is not empty. */
export async function readDelimiter(file: string, encoding: Encoding): Promise<Delimiter> {
  for await (const line of readLines(file, encoding)) {
    if (line.trim() !== '') return detectDelimiter(line);
  }
  return ',';
}

/** The rows of a CSV file in bounded memory. Throws UsageError or an error of the parser, both with the line. */
export async function* readCsvTable(file: string, encoding: Encoding): Table {
  const parser = parse({
    delimiter: await readDelimiter(file, encoding),
    trim: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    relax_column_count: true,
    info: true,
  });
  // An error while reading the file ends the parser and thereby the loop below.
  const records = pipeline(Readable.from(blocksOfLines(file, encoding)), parser, () => undefined);
  for await (const { record, info } of records as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>) {
    yield { line: info.lines - lineBreaksIn(record), cells: record };
  }
}

/** Many lines at a time, because each piece costs the parser as much as its lines. */
async function* blocksOfLines(file: string, encoding: Encoding): AsyncGenerator<string> {
  let block = '';
  for await (const line of readLines(file, encoding)) {
    block += `${line}\n`;
    if (block.length < BLOCK_CHARACTERS) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}

/** The parser gives the last line of a record; cells with line breaks make it longer than one line. */
function lineBreaksIn(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + cell.split('\n').length - 1, 0);
}
