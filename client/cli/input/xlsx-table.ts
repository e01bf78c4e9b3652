import { UsageError } from '../exit-codes.ts';
import type { Table } from './table.ts';

/** What a cell holds. The text of a number is kept, because a double would lose digits of an identifier. */
type Cell = string | { readonly number: string } | boolean | Date | null;

/** The rows of the first sheet, all in memory. Dates become YYYY-MM-DD. Throws UsageError for a file that is not a workbook. */
export async function* readXlsxTable(file: string): Table {
  const rows = await readCells(file);
  for (const [index, cells] of rows.entries()) {
    if (cells.every((cell) => cell === null || cell === '')) continue;
    yield { line: index + 1, cells: cells.map(textOf), kinds: cells.map(kindOf) };
  }
}

async function readCells(file: string): Promise<readonly (readonly Cell[])[]> {
  // Loaded for workbooks only, so that other commands start faster.
  const { readSheet } = await import('read-excel-file/node');
  try {
    const rows: unknown = await readSheet(file, { parseNumber: (text) => ({ number: text }) });
    return rows as readonly (readonly Cell[])[];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`It cannot be read as a workbook (.xlsx): ${reason}.`);
  }
}

function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell.trim();
  if (typeof cell === 'boolean') return String(cell).toUpperCase();
  if (isDate(cell)) return cell.toISOString().slice(0, 'YYYY-MM-DD'.length);
  // Excel stores 1250.1 as 1250.0999999999999. A long number, such as 1.30E+14, keeps the form that shows its loss.
  return /E\+/i.test(cell.number) ? cell.number : String(Number(cell.number));
}

function kindOf(cell: Cell): 'number' | 'date' | undefined {
  if (cell === null || typeof cell !== 'object') return undefined;
  return isDate(cell) ? 'date' : 'number';
}

function isDate(cell: Date | { readonly number: string }): cell is Date {
  return !('number' in cell);
}
