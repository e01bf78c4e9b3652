import { DATE_COLUMNS, IDENTIFIER_COLUMNS, NUMBER_COLUMNS } from './columns.ts';
import type { TableRow } from './table.ts';

/** A cell whose value a spreadsheet has changed, or that nobody can read without doubt. */
export interface CellProblem {
  readonly line: number;
  /** Counts from 1. */
  readonly column: number;
  readonly heading: string;
  readonly message: string;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_OF_SPREADSHEET = /^\d{1,4}[/.\- ]([A-Za-z]{3,}|\d{1,2})[/.\- ,]+\d{1,4}$/;
const SCIENTIFIC = /^-?\d+([.,]\d+)?E\+\d+$/i;
const DECIMAL_COMMA = /^-?\d+,\d+$/;
const SEPARATED_THOUSANDS = /^-?\d{1,3}([.,' ]\d{3})+([.,]\d+)?$/;
const AS_TEXT = 'Format the column as Text, enter the value again, and save the file.';
const AS_ISO_DATE = 'Format the column as YYYY-MM-DD, and save the file.';

/** The problems of a row, which must stop the whole batch before anything is sent (D42). */
export function checkCells(headings: readonly string[], row: TableRow): CellProblem[] {
  return headings.flatMap((heading, index) => {
    const value = row.cells[index] ?? '';
    const message = value === '' ? undefined : checkCell(heading, value, row.kinds?.[index]);
    return message === undefined ? [] : [{ line: row.line, column: index + 1, heading, message }];
  });
}

/** Undefined when the value can be sent. */
function checkCell(
  heading: string,
  value: string,
  kind: 'number' | 'date' | undefined,
): string | undefined {
  const shown = JSON.stringify(value);
  if (SCIENTIFIC.test(value) && !(kind === 'number' && NUMBER_COLUMNS.has(heading))) {
    return `Excel made this of a long number and dropped its last digits: ${shown}. ${AS_TEXT}`;
  }
  if (IDENTIFIER_COLUMNS.has(heading) && kind !== undefined) {
    return kind === 'date'
      ? `Excel made this date of an identifier: ${shown}. ${AS_TEXT}`
      : `Excel made this number of an identifier, and may have dropped leading zeros: ${shown}. ${AS_TEXT}`;
  }
  if (DATE_COLUMNS.has(heading)) return checkDate(value, shown, kind);
  if (
    NUMBER_COLUMNS.has(heading) &&
    (DECIMAL_COMMA.test(value) || SEPARATED_THOUSANDS.test(value))
  ) {
    return `Excel made this of a number, and its separators can be read in two ways: ${shown}. Write a decimal point and no separators between thousands.`;
  }
  return undefined;
}

function checkDate(value: string, shown: string, kind: 'number' | 'date' | undefined) {
  if (ISO_DATE.test(value)) return undefined;
  if (DATE_OF_SPREADSHEET.test(value)) {
    return `Excel made this of a date, and it can be read in two ways: ${shown}. ${AS_ISO_DATE}`;
  }
  if (kind === 'number' || /^\d{5}$/.test(value)) {
    return `Excel made this number of a date: ${shown}. ${AS_ISO_DATE}`;
  }
  return `This is not a date: ${shown}. Write YYYY-MM-DD.`;
}
