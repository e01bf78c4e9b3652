import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileError, UsageError } from '../exit-codes.ts';
import { type BatchItem, isTable, makeBatchSource } from '../input/batch-source.ts';
import { ERROR_COLUMNS } from '../input/columns.ts';
import { readTableFormat } from '../input/read-table.ts';
import type { Encoding } from '../input/read-text.ts';
import type { SettledLine } from './journal/journal-lines.ts';
import { readOutcomes } from './journal/read-journal.ts';
import { nextId } from './plan.ts';
import { csvCell, errorOf } from './report.ts';

const ID_COLUMN = 'externalTransactionId';

/** Throws UsageError when the ending of the output would make it be read as another format than that of the file. */
export function requireSameFormat(file: string, out: string): void {
  if (!isTable(file) && isTable(out))
    throw new UsageError(`${file} has a transmission per line, so ${out} cannot be a table.`);
  if (isTable(file) && !/\.(csv|tsv|txt)$/i.test(out))
    throw new UsageError(`${file} is a table: name a file that ends in .csv, .tsv or .txt.`);
}

/**
 * Writes the certificates that were refused, in the format of their file, with their errors at the end of each row. A
 * certificate is written with all of its rows. An id under which the registry has recorded the refused transmission is
 * replaced by the next one, so that the corrected file can be sent as it is. Returns their number.
 */
export async function writeFailedRows(
  file: string,
  encoding: Encoding,
  journalFile: string,
  out: string,
): Promise<number> {
  const failed = new Map<string, SettledLine>();
  for await (const line of readOutcomes(journalFile)) {
    if (line.end === 'rejected' || line.end === 'failed') failed.set(line.id, line);
  }
  let written = 0;
  const items = failedItems(makeBatchSource(file, encoding)(), failed, () => {
    written += 1;
  });
  const text = isTable(file) ? tableOf(file, encoding, items) : jsonLinesOf(items);
  try {
    await pipeline(Readable.from(text), createWriteStream(out));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new FileError(
      `${out} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  return written;
}

interface FailedItem {
  readonly item: BatchItem;
  readonly line: SettledLine;
}

async function* failedItems(
  items: AsyncIterable<BatchItem>,
  failed: ReadonlyMap<string, SettledLine>,
  onItem: () => void,
): AsyncGenerator<FailedItem> {
  for await (const item of items) {
    const line = failed.get(item.body.externalTransactionId);
    if (line === undefined) continue;
    onItem();
    yield { item, line };
  }
}

async function* jsonLinesOf(items: AsyncIterable<FailedItem>): AsyncGenerator<string> {
  for await (const { item, line } of items) {
    const body = { ...item.body, externalTransactionId: idToSend(line), error: errorOf(line) };
    yield `${JSON.stringify(body)}\n`;
  }
}

async function* tableOf(
  file: string,
  encoding: Encoding,
  items: AsyncIterable<FailedItem>,
): AsyncGenerator<string> {
  const { delimiter, headings } = await readTableFormat(file, encoding);
  const rowOf = (cells: readonly string[]) =>
    `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`;
  const own = headings.flatMap((heading, index) =>
    (ERROR_COLUMNS as readonly string[]).includes(heading) ? [] : [{ heading, index }],
  );
  // The mark makes spreadsheets read UTF-8.
  yield `\uFEFF${rowOf([...own.map(({ heading }) => heading), ...ERROR_COLUMNS])}`;
  for await (const { item, line } of items) {
    const { code, field, message } = errorOf(line);
    for (const cells of item.rows ?? []) {
      const row = own.map(({ heading, index }) =>
        heading === ID_COLUMN && cells[index] !== '' ? idToSend(line) : (cells[index] ?? ''),
      );
      yield rowOf([...row, code, field, message]);
    }
  }
}

function idToSend(line: SettledLine): string {
  return line.transmissionReference === null ? line.sentId : nextId(line, line.id);
}
