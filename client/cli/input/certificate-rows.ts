import { createHash } from 'node:crypto';
import { survivesReading } from '../../../shared/contract/decimal.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { UsageError } from '../exit-codes.ts';
import type { BatchItem } from './batch-source.ts';
import { type CellProblem, checkCells } from './check-cells.ts';
import {
  ERROR_COLUMNS,
  GROUPS,
  KEY_COLUMN,
  KEY_COLUMNS,
  NUMBER_COLUMNS,
  requireHeadings,
  withoutEmptyEnd,
} from './columns.ts';
import type { Table, TableRow } from './table.ts';

const PROBLEMS_SHOWN_MAX = 20;

type Row = Readonly<Record<string, string>>;

/**
 * The certificates of a table, with one of them in memory at a time. Without a column externalTransactionId the id is a hash of
 * the content, so that the same file sent again is a replay and a corrected row is a new transmission.
 * Throws UsageError that names the line of an unknown heading, or of rows of one certificate that differ or are not adjacent;
 * and at the end, when all rows are known, one that lists every cell that cannot be sent.
 */
export async function* readCertificates(table: Table): AsyncGenerator<BatchItem> {
  const seen = new Set<string>();
  const problems: CellProblem[] = [];
  let headings: readonly string[] | undefined;
  let key = '';
  let rows: Row[] = [];
  let source: TableRow[] = [];
  for await (const tableRow of table) {
    if (headings === undefined) {
      headings = requireHeadings(tableRow);
      continue;
    }
    requireSameWidth(headings, tableRow);
    problems.push(...checkCells(headings, tableRow));
    const row = rowOf(headings, tableRow);
    const cocNumber = row[KEY_COLUMN] ?? '';
    const rowKey = JSON.stringify(KEY_COLUMNS.map((column) => row[column] ?? ''));
    const isNew = rows.length === 0 || rowKey !== key || cocNumber === '';
    if (isNew) {
      if (rows.length > 0) yield itemOf(rows, source);
      if (cocNumber !== '' && seen.has(rowKey)) {
        throw new UsageError(
          `Line ${tableRow.line}: the rows of certificate ${cocNumber} must be adjacent. Sort the rows by insurer, policy and COC number.`,
        );
      }
      seen.add(rowKey);
      key = rowKey;
      rows = [];
      source = [];
    }
    requireSameCertificate(rows[0], row, tableRow.line);
    rows.push(row);
    source.push(tableRow);
  }
  if (rows.length > 0) yield itemOf(rows, source);
  if (problems.length > 0) throw new UsageError(describeProblems(problems));
}

function rowOf(headings: readonly string[], { cells }: TableRow): Row {
  const isError = (heading: string) => (ERROR_COLUMNS as readonly string[]).includes(heading);
  return Object.fromEntries(
    headings.flatMap((heading, index) => (isError(heading) ? [] : [[heading, cells[index] ?? '']])),
  );
}

/** Empty cells after the last heading are ignored. A short row of a CSV file is refused: its end may be lost. */
function requireSameWidth(headings: readonly string[], { line, cells, kinds }: TableRow): void {
  const width = withoutEmptyEnd(cells).length;
  if (width > headings.length) {
    throw new UsageError(
      `Line ${line}, column ${headings.length + 1}: ${JSON.stringify(cells[headings.length])} has no heading. A value that contains the delimiter needs quotation marks around it.`,
    );
  }
  if (kinds === undefined && cells.length < headings.length) {
    throw new UsageError(
      `Line ${line} has ${cells.length} cells, but there are ${headings.length} headings. If its last cells are empty, add the missing delimiters.`,
    );
  }
}

function requireSameCertificate(first: Row | undefined, row: Row, line: number): void {
  if (first === undefined) return;
  const differing = Object.keys(row).find(
    (column) => !column.startsWith('vehicle.') && row[column] !== first[column],
  );
  if (differing === undefined) return;
  throw new UsageError(
    `Line ${line}: ${differing} is ${JSON.stringify(row[differing])}, but ${JSON.stringify(first[differing])} in the first row of this certificate.`,
  );
}

function describeProblems(problems: readonly CellProblem[]): string {
  const shown = problems
    .slice(0, PROBLEMS_SHOWN_MAX)
    .map(
      ({ line, column, heading, message }) =>
        `  Line ${line}, column ${column} (${heading}): ${message}`,
    );
  const left = problems.length - shown.length;
  return [
    `${problems.length === 1 ? '1 cell' : `${problems.length} cells`} cannot be sent. Nothing was sent.`,
    ...shown,
    ...(left > 0 ? [`  and ${left} more.`] : []),
  ].join('\n');
}

function itemOf(rows: readonly Row[], source: readonly TableRow[]): BatchItem {
  return { body: bodyOf(rows), line: source[0]?.line ?? 0, rows: source.map(({ cells }) => cells) };
}

function bodyOf(rows: readonly Row[]): TransmissionBody {
  const [first = {}] = rows;
  const content = {
    issuingInsurerCode: first['issuingInsurerCode'] || null,
    poolCode: first['poolCode'] || null,
    policy: groupOf('policy', first),
    certificate: groupOf('certificate', first),
    operator: groupOf('operator', first),
    vehicles: rows.map((row) => groupOf('vehicle', row)),
  };
  return { externalTransactionId: first['externalTransactionId'] || idOf(content), ...content };
}

/** In the order of the contract, so that the id of a certificate does not depend on the order of the columns. */
function groupOf(group: keyof typeof GROUPS, row: Row): Record<string, string | number> {
  const fields = Object.keys(GROUPS[group].shape).flatMap((name) => {
    const column = `${group}.${name}`;
    const value = row[column] ?? '';
    if (value === '') return [];
    return [[name, NUMBER_COLUMNS.has(column) ? numberOf(value) : value] as const];
  });
  return Object.fromEntries(fields);
}

/** Text that is not a number, or would lose digits as one, is sent unchanged, so that the registry reports its field. */
function numberOf(value: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(value) && survivesReading(value) ? Number(value) : value;
}

function idOf(content: object): string {
  return `csv-${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 40)}`;
}
