import { groupBy } from '../../shared/domain/group-by.ts';
import { codesOf, findDifference, type ItemOutcome, statusOf } from './transmit-batch.ts';

const HEADINGS = [
  'What was sent',
  'Sent',
  'Accepted',
  'Flagged',
  'Rejected',
  'Refused',
  'Expected',
  '',
  'Codes',
] as const;
const CODES_SHOWN = 2;
const DIFFERENCES_SHOWN = 10;

/** One row a kind, in the order of the batch. */
export function outcomeTable(results: readonly ItemOutcome[]): string {
  const byKind = groupBy(results, ({ item }) => item.kind);
  const rows = [...byKind].map(([kind, group]) => rowOf(kind, group));
  const total = rowOf('All', results).map((cell, column) => (column <= 5 ? cell : ''));
  return render([[...HEADINGS], ...rows, total]);
}

/** What differs from what was expected, at most a few; empty when nothing does. */
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
    group[0]?.item.expected.status ?? '',
    isAsExpected ? 'ok' : 'DIFFERS',
    topCodes(group),
  ];
}

function topCodes(group: readonly ItemOutcome[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of group) {
    const codes =
      outcome.error === null
        ? codesOf(outcome)
        : new Set([outcome.error.code, ...codesOf(outcome)]);
    for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, CODES_SHOWN)
    .map(([code]) => code)
    .join(', ');
}

const NUMERIC = new Set([1, 2, 3, 4, 5]);

function render(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        NUMERIC.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  const rule = '─'.repeat(Math.max(...lines.map((line) => line.length)));
  const [heading = '', ...body] = lines;
  return [heading, rule, ...body.slice(0, -1), rule, ...body.slice(-1)].join('\n');
}
