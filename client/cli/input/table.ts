/** A row of a CSV file or of a sheet. */
export interface TableRow {
  /** The line of a CSV file or the row of a sheet, counted from 1. */
  readonly line: number;
  /** Trimmed texts in the order of the headings. Cells that a number or a date of a sheet was in have its text. */
  readonly cells: readonly string[];
  /** For each cell of a sheet, whether a number or a date was stored. Undefined for a CSV file, which has only texts. */
  readonly kinds?: readonly ('number' | 'date' | undefined)[];
}

/** Rows without those that are empty. The first one has the headings. */
export type Table = AsyncIterable<TableRow>;
