import { groupBy } from '../../../shared/domain/group-by.ts';
import { isValid, type Measurement } from './measurement.ts';
import { median, type Result } from './ratios.ts';

const FIGURES: Readonly<Record<string, string>> = {
  perSecond: 'registered/s',
  cpuMsPerItem: 'CPU ms each',
  p50Ms: 'p50 ms',
  p99Ms: 'p99 ms',
  workerMb: 'worker MB',
};

/** Two tables: medians of what was measured, and the goals with pass or FAIL. */
export function toText(measurements: readonly Measurement[], results: readonly Result[]): string {
  const faults = measurements.flatMap(({ scenario, subject, faults }) =>
    faults.map((fault) => `WRONG ${scenario}, ${subject}: ${fault}`),
  );
  return [figuresTable(measurements), goalsTable(results), ...faults, ''].join('\n');
}

function figuresTable(measurements: readonly Measurement[]): string {
  const groups = groupBy(measurements, ({ scenario, subject }) => `${scenario}\t${subject}`);
  const rows = [...groups].map(([name, rounds]) => {
    const valid = rounds.filter(isValid);
    const counted = valid.length === 0 ? rounds : valid;
    return [
      ...name.split('\t'),
      ...Object.keys(FIGURES).map((figure) => medianOf(counted, figure)),
      `${valid.length} of ${rounds.length}`,
    ];
  });
  return table([['scenario', 'subject', ...Object.values(FIGURES), 'valid rounds'], ...rows]);
}

function medianOf(rounds: readonly Measurement[], figure: string): string {
  const values = rounds.flatMap(({ figures }) => figures[figure] ?? []);
  return values.length === 0 || median(values) === 0 ? '' : formatted(median(values));
}

function goalsTable(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.goal,
    result.subject,
    formatted(result.value),
    `${result.bound} ${result.limit}`,
    result.passed ? 'pass' : 'FAIL',
    `${result.validRounds} of ${result.rounds}`,
  ]);
  return table([['goal', 'subject', 'value', 'wanted', 'result', 'valid rounds'], ...rows]);
}

/** As a Markdown table whose columns are aligned. */
function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(head), rule, ...body.map(line), ''].join('\n');
}

/** Three significant digits. */
function formatted(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
