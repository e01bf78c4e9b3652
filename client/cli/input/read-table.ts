import { withoutEmptyEnd } from './columns.ts';
import { type Delimiter, readCsvTable, readDelimiter } from './csv-table.ts';
import type { Encoding } from './read-text.ts';
import type { Table } from './table.ts';
import { readXlsxTable } from './xlsx-table.ts';

export interface TableFormat {
  /** The comma for a workbook, whose rows are written as CSV. */
  readonly delimiter: Delimiter;
  readonly headings: readonly string[];
}

export function readTable(file: string, encoding: Encoding): Table {
  return isWorkbook(file) ? readXlsxTable(file) : readCsvTable(file, encoding);
}

/** Reads the first row that is not empty. */
export async function readTableFormat(file: string, encoding: Encoding): Promise<TableFormat> {
  const delimiter = isWorkbook(file) ? ',' : await readDelimiter(file, encoding);
  for await (const { cells } of readTable(file, encoding)) {
    return { delimiter, headings: withoutEmptyEnd(cells) };
  }
  return { delimiter, headings: [] };
}

function isWorkbook(file: string): boolean {
  return /\.xlsx$/i.test(file);
}
