/** The last line of every export that was not cut off (D82). */
const LAST_LINE = /(?:^|\n)# (complete|incomplete, the limit is reached), (\d+) rows\r?\n?$/;

export interface ExportEnd {
  readonly rows: number;
  /** False when more rows match than one export may have. */
  readonly isComplete: boolean;
}

/** What the last line says; undefined for an export that was cut off. */
export function readEnd(text: string): ExportEnd | undefined {
  const [, outcome, rows] = LAST_LINE.exec(text) ?? [];
  return outcome === undefined
    ? undefined
    : { rows: Number(rows), isComplete: outcome === 'complete' };
}
