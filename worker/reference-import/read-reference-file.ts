import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Info, parse } from 'csv-parse';
import { REFERENCE_COLUMNS, type ReferenceColumn } from '../../shared/contract/staff/reference.ts';
import {
  type ReferenceRow,
  type RowFlaw,
  readHeading,
  readReferenceRow,
} from '../../shared/domain/reference-row.ts';

/** A line of the file. The heading is line 1; a quoted value that spans lines has the number of its first line. */
export interface ReadLine extends ReferenceRow {
  readonly line: number;
  /** The bytes of the file up to the end of this line. */
  readonly bytesRead: number;
}

/** Longer than any line of a reference file, so that an unclosed quote doesn't swallow the rest of the file. */
const LINE_BYTES_MAX = 4_096;

/** Errors of values that span several lines or have no end. */
const SPANNING_CODES = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE']);

/**
 * Reads a CSV file (RFC 4180, any line ends, with or without a byte order mark) as a stream and calls `onLine` for each line that
 * isn't empty. Lines that can't be parsed come at the end, without a region.
 */
export async function readReferenceFile(
  chunks: AsyncIterable<Buffer>,
  onLine: (line: ReadLine) => Promise<void>,
): Promise<void> {
  const badLines = new Set<number>();
  let lastBad = 0;
  let spanEnd: number | undefined;
  const parser = parse({
    bom: true,
    info: true,
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      const line = typeof error?.['lines'] === 'number' ? error['lines'] : 1;
      if (SPANNING_CODES.has(error?.code ?? '')) {
        spanEnd ??= line;
      } else {
        badLines.add(line);
        lastBad = line;
      }
      return undefined;
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: LINE_BYTES_MAX,
  });
  let [lastLine, bytesRead] = [1, 0];
  await pipeline(Readable.from(chunks), parser, async (records: AsyncIterable<CsvRecord>) => {
    let columns: readonly ReferenceColumn[] | undefined;
    let brokenLines = 0;
    for await (const { record, info } of records) {
      const text = record.join('');
      // The parser counts both characters of CR LF in a quoted value.
      const doubled = countOf(text, '\r\n');
      brokenLines += doubled;
      lastLine = info.lines - brokenLines;
      bytesRead = info.bytes;
      if (columns === undefined) columns = requireHeading(record);
      else {
        const line = lastLine - (countOf(text, '\n') + countOf(text, '\r') - doubled);
        await onLine({ line, bytesRead, ...readReferenceRow(columns, record) });
      }
    }
  });
  // A value without an end comes after all lines that could be read.
  if (spanEnd !== undefined) badLines.add(Math.min(spanEnd, Math.max(lastLine, lastBad) + 1));
  for (const line of badLines) {
    await onLine({ line, bytesRead, region: null, identifiers: NONE, flaws: [UNREADABLE] });
  }
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

interface CsvRecord {
  readonly record: string[];
  readonly info: Info;
}

const NONE = { plateNumber: null, mvFileNumber: null, engineNumber: null, chassisNumber: null };

const UNREADABLE: RowFlaw = {
  field: null,
  code: 'INVALID_FORMAT',
  message:
    'This can not be read as CSV: a quote is out of place or never closed, or the line is too long. What follows may not have been read.',
};

/** An upload without a heading was refused. */
function requireHeading(cells: readonly string[]): readonly ReferenceColumn[] {
  const columns = readHeading(cells);
  if (columns === undefined)
    throw new Error(`expected the columns ${REFERENCE_COLUMNS.join(', ')}`);
  return columns;
}
