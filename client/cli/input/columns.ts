import {
  CertificateBody,
  OperatorBody,
  PolicyBody,
  VehicleBody,
} from '../../../shared/contract/machine/transmission.ts';
import { UsageError } from '../exit-codes.ts';
import type { TableRow } from './table.ts';

export const GROUPS = {
  policy: PolicyBody,
  certificate: CertificateBody,
  operator: OperatorBody,
  vehicle: VehicleBody,
} as const;

/** The headings of a file with rows. Each row is a vehicle; the rows of a certificate must be adjacent. */
export const COLUMNS: readonly string[] = [
  'externalTransactionId',
  'issuingInsurerCode',
  'poolCode',
  ...Object.entries(GROUPS).flatMap(([group, schema]) =>
    Object.keys(schema.shape).map((name) => `${group}.${name}`),
  ),
];

/** `batch retry --failed-only` adds these columns, and `batch send` ignores them (D42). */
export const ERROR_COLUMNS = ['error.code', 'error.field', 'error.message'] as const;

export const NUMBER_COLUMNS: ReadonlySet<string> = new Set([
  'policy.premiumAmount',
  'vehicle.yearModel',
  'vehicle.passengerCapacity',
]);

export const DATE_COLUMNS: ReadonlySet<string> = new Set([
  'policy.issuanceDate',
  'certificate.effectiveDate',
  'certificate.expirationDate',
]);

/** A spreadsheet that stores one of these as a number loses leading zeros and every digit after the fifteenth. */
export const IDENTIFIER_COLUMNS: ReadonlySet<string> = new Set(
  COLUMNS.filter((column) =>
    /(^externalTransactionId|Number|\.tin|\.vin|\.contactPhone|\.insurerVerificationReference)$/.test(
      column,
    ),
  ),
);

export const KEY_COLUMN = 'certificate.cocNumber';
/** A COC number is unique only within an insurer and a policy ("Top-level error codes"). */
export const KEY_COLUMNS = ['issuingInsurerCode', 'policy.policyNumber', KEY_COLUMN] as const;

/** The headings without empty ones at the end. Throws UsageError that names the cell of an unknown or repeated heading. */
export function requireHeadings({ line, cells }: TableRow): readonly string[] {
  const headings = withoutEmptyEnd(cells);
  const allowed = new Set([...COLUMNS, ...ERROR_COLUMNS]);
  const unknown = headings.flatMap((heading, index) =>
    allowed.has(heading) ? [] : [`${heading || '(empty)'} (column ${index + 1})`],
  );
  if (unknown.length > 0) {
    throw new UsageError(
      `Line ${line}: Unknown columns: ${unknown.join(', ')}. Correct or remove them. Allowed are: ${COLUMNS.join(', ')}.`,
    );
  }
  const repeatedAt = headings.findIndex((heading, index) => headings.indexOf(heading) !== index);
  if (repeatedAt !== -1) {
    const heading = headings[repeatedAt] ?? '';
    throw new UsageError(
      `Line ${line}, columns ${headings.indexOf(heading) + 1} and ${repeatedAt + 1}: The column ${heading} appears twice. Remove one of them.`,
    );
  }
  if (!headings.includes(KEY_COLUMN)) {
    throw new UsageError(`Line ${line}: The column ${KEY_COLUMN} is missing. Add it.`);
  }
  return headings;
}

export function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  let end = cells.length;
  while (end > 0 && cells[end - 1] === '') end -= 1;
  return cells.slice(0, end);
}
