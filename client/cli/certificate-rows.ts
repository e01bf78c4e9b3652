import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { survivesReading } from '../../shared/contract/decimal.ts';
import {
  CertificateBody,
  OperatorBody,
  PolicyBody,
  type TransmissionBody,
  VehicleBody,
} from '../../shared/contract/machine/transmission.ts';
import { UsageError } from './exit-codes.ts';
import { readLines } from './read-text.ts';

const GROUPS = {
  policy: PolicyBody,
  certificate: CertificateBody,
  operator: OperatorBody,
  vehicle: VehicleBody,
} as const;
const NUMBERS = new Set(['policy.premiumAmount', 'vehicle.yearModel', 'vehicle.passengerCapacity']);
const KEY_COLUMN = 'certificate.cocNumber';
/** A COC number is unique for an insurer and a policy alone ("Top-level error codes"). */
const KEY_COLUMNS = ['issuingInsurerCode', 'policy.policyNumber', KEY_COLUMN] as const;

/** The headings that a CSV file may have: one row a vehicle, the rows of a certificate one after the other. */
export const COLUMNS: readonly string[] = [
  'externalTransactionId',
  'issuingInsurerCode',
  'poolCode',
  ...Object.entries(GROUPS).flatMap(([group, schema]) =>
    Object.keys(schema.shape).map((name) => `${group}.${name}`),
  ),
];

type Row = Readonly<Record<string, string>>;

/**
 * The transmissions of a CSV file, one certificate in memory at a time. Without a column externalTransactionId the id is
 * made from the content, so that the same file sent again is a replay and a corrected row is a new transmission.
 * Throws UsageError that names the line: unknown heading, rows of one certificate that differ or lie apart.
 */
export async function* readCertificateRows(file: string): AsyncGenerator<TransmissionBody> {
  const parser = parse({
    trim: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    info: true,
    columns: checkHeadings,
  });
  // An error of the file ends the parser, and so the loop below.
  const records = pipeline(Readable.from(endedLines(file)), parser, () => undefined);
  const seen = new Set<string>();
  let key = '';
  let rows: Row[] = [];
  for await (const { record, info } of records as AsyncIterable<{
    record: Row;
    info: { lines: number };
  }>) {
    const cocNumber = record[KEY_COLUMN] ?? '';
    const rowKey = JSON.stringify(KEY_COLUMNS.map((column) => record[column] ?? ''));
    const isNew = rows.length === 0 || rowKey !== key || cocNumber === '';
    if (isNew) {
      if (rows.length > 0) yield bodyOf(rows);
      if (cocNumber !== '' && seen.has(rowKey)) {
        throw new UsageError(
          `Line ${info.lines}: the rows of certificate ${cocNumber} must follow each other.`,
        );
      }
      seen.add(rowKey);
      key = rowKey;
      rows = [];
    }
    checkSameCertificate(rows[0], record, info.lines);
    rows.push(record);
  }
  if (rows.length > 0) yield bodyOf(rows);
}

async function* endedLines(file: string): AsyncGenerator<string> {
  for await (const line of readLines(file)) yield `${line}\n`;
}

function checkHeadings(headings: string[]): string[] {
  const unknown = headings.filter((heading) => !COLUMNS.includes(heading));
  if (unknown.length > 0) {
    throw new UsageError(
      `Unknown columns: ${unknown.join(', ')}. Known are: ${COLUMNS.join(', ')}.`,
    );
  }
  if (!headings.includes(KEY_COLUMN)) throw new UsageError(`The column ${KEY_COLUMN} is missing.`);
  return headings;
}

function checkSameCertificate(first: Row | undefined, row: Row, line: number): void {
  if (first === undefined) return;
  const differing = Object.keys(row).find(
    (column) => !column.startsWith('vehicle.') && row[column] !== first[column],
  );
  if (differing === undefined) return;
  throw new UsageError(
    `Line ${line}: ${differing} is ${JSON.stringify(row[differing])}, but ${JSON.stringify(first[differing])} in the first row of this certificate.`,
  );
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

function groupOf(group: keyof typeof GROUPS, row: Row): Record<string, string | number> {
  const fields = Object.entries(row)
    .filter(([column, value]) => column.startsWith(`${group}.`) && value !== '')
    .map(
      ([column, value]) =>
        [column.slice(group.length + 1), NUMBERS.has(column) ? numberOf(value) : value] as const,
    );
  return Object.fromEntries(fields);
}

/** What is no number, or would lose digits as one, goes out as it is, and the registry says where it stands. */
function numberOf(value: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(value) && survivesReading(value) ? Number(value) : value;
}

function idOf(content: object): string {
  return `csv-${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 40)}`;
}
