import { groupBy } from '../../shared/domain/group-by.ts';
import { codesOf, findDifference, type ItemOutcome, statusOf } from './transmit-batch.ts';

const HEADINGS = [
  'Transmissions',
  'Sent',
  'Accepted',
  'Flagged',
  'Rejected',
  'Refused',
  '',
  'Codes',
] as const;
const CODES_SHOWN_MAX = 2;
/** Width of a line that common terminals do not wrap. */
export const TABLE_COLUMNS_MAX = 120;
const GAP = '  ';
const DIFFERENCES_SHOWN = 10;

/** One row per kind of item, in the order of the batch. */
export function outcomeTable(results: readonly ItemOutcome[]): string {
  const byKind = groupBy(results, ({ item }) => item.kind);
  const rows = [...byKind].map(([kind, group]) => rowOf(kind, group));
  const total = rowOf('All', results).map((cell, column) => (column <= 5 ? cell : ''));
  return render([[...HEADINGS], ...rows, total]);
}

/** Describes outcomes that differ from the expectation, at most DIFFERENCES_SHOWN. */
export function describeDifferences(results: readonly ItemOutcome[]): string[] {
  const lines = results.flatMap((result) => {
    const difference = findDifference(result);
    return difference === undefined
      ? []
      : `  ${result.item.kind}, ${result.item.body.externalTransactionId}: ${difference}`;
  });
  const left = lines.length - DIFFERENCES_SHOWN;
  return left > 0 ? [...lines.slice(0, DIFFERENCES_SHOWN), `  and ${left} more`] : lines;
}

function rowOf(kind: string, group: readonly ItemOutcome[]): string[] {
  const count = (status: string) => {
    const number = group.filter(({ outcome }) => statusOf(outcome) === status).length;
    return number === 0 ? '·' : String(number);
  };
  const isAsExpected = group.every((result) => findDifference(result) === undefined);
  return [
    kind,
    String(group.length),
    count('ACCEPTED'),
    count('FLAGGED'),
    count('REJECTED'),
    count('REFUSED'),
    isAsExpected ? 'ok' : 'no',
    topCodes(group).join(CODE_GAP),
  ];
}

const CODE_GAP = ', ';

/** Omits VALIDATION_FAILED when there are details, which are more specific. */
function specificCodes(outcome: ItemOutcome['outcome']): ReadonlySet<string> {
  const [code, details] = [outcome.error?.code, codesOf(outcome)];
  const isSpecific = code !== undefined && (code !== 'VALIDATION_FAILED' || details.size === 0);
  return isSpecific ? new Set([code, ...details]) : details;
}

/** The most frequent codes first. */
function topCodes(group: readonly ItemOutcome[]): string[] {
  const counts = new Map<string, number>();
  for (const { outcome } of group) {
    for (const code of specificCodes(outcome)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, CODES_SHOWN_MAX)
    .map(([code]) => code);
}

/** As many whole codes as fit into the last column, but at least one. */
function fitCodes(codes: string, columns: number): string {
  const [first = '', ...others] = codes.split(CODE_GAP);
  return others.reduce(
    (shown, code) =>
      shown.length + CODE_GAP.length + code.length <= columns
        ? `${shown}${CODE_GAP}${code}`
        : shown,
    first,
  );
}

const NUMERIC = new Set([1, 2, 3, 4, 5]);

function render(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const lines = rows.map((row) =>
    [...row.slice(0, -1), fitCodes(row.at(-1) ?? '', TABLE_COLUMNS_MAX - before)]
      .map((cell, column) =>
        NUMERIC.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join(GAP)
      .trimEnd(),
  );
  const rule = '─'.repeat(Math.max(...lines.map((line) => line.length)));
  const [heading = '', ...body] = lines;
  return [heading, rule, ...body.slice(0, -1), rule, ...body.slice(-1)].join('\n');
}
