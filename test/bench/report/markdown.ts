import type { PairedRatio, Spread } from '../measure/statistics.ts';
import type { CellSummary, Summary } from './summary.ts';

/** The report as Markdown, the plots beside it as files of these names. */
export function toMarkdown(summary: Summary, plots: readonly string[]): string {
  const { machine, setting } = summary;
  return [
    '# Benchmark',
    '',
    `${machine.measuredOn}: ${machine.processor}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system}; Node ${machine.node}, PostgreSQL ${machine.postgres}, Redis ${machine.redis}.`,
    '',
    ...blockTable(summary),
    '',
    Object.entries(setting)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    '',
    '## Ratios',
    '',
    ...ratioTable(summary),
    '',
    '## Cells',
    '',
    ...cellTable(summary.cells),
    '',
    ...plots.map((plot) => `![${plot}](${plot})\n`),
    '## What a cell does',
    '',
    ...summary.cells.map(({ name, unit, about }) => `- \`${name}\` (${unit}): ${about}`),
    '',
    '## Further figures',
    '',
    ...figureTable(summary.cells),
    '',
    '## Where the time of the database goes',
    '',
    ...summary.cells.flatMap(statementTable),
    ...(summary.faults.length === 0
      ? ['Every cell was checked and was correct.']
      : ['## Wrong', '', ...summary.faults.map((fault) => `- ${fault}`)]),
    '',
  ].join('\n');
}

/** The same tables for a terminal. */
export function toText(summary: Summary): string {
  return [
    '',
    ...aligned(blockTable(summary)),
    '',
    ...aligned(cellTable(summary.cells)),
    '',
    ...aligned(figureTable(summary.cells)),
    '',
    ...aligned(ratioTable(summary)),
    '',
    ...summary.faults.map((fault) => `WRONG  ${fault}`),
    '',
  ].join('\n');
}

/** The table of ratios alone, for a terminal. */
export function ratiosToText(ratios: Summary['ratios']): string {
  return aligned(ratioTable({ ratios })).join('\n');
}

function blockTable({ blocks }: Summary): string[] {
  return [
    '| cells | rounds run | drift of the control in each |',
    '| --- | ---: | --- |',
    ...blocks.map(({ name, roundsRun, drifts }) => {
      const shown = drifts.map((drift) => `${(drift * 100).toFixed(1)} %`).join(', ');
      return `| ${name} | ${roundsRun} | ${shown} |`;
    }),
  ];
}

/** Of what was measured. */
function ratioTable({ ratios }: Pick<Summary, 'ratios'>): string[] {
  return [
    '| ratio | measured | to reach | beyond | | rounds that count | in all rounds, thrown out or not | geometric mean of all, standard error of its logarithm | of all, reach it with their drift against them |',
    '| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |',
    ...ratios
      .filter(({ ratio }) => ratio !== undefined)
      .map((result) => {
        const { name, ratio, ofAll, meanOfAll, reach, beyond, verdict, reachedAtWorst } = result;
        const [measured = '', inAll = ''] = [ratio, ofAll].map((one) => one && spread(one));
        return `| ${name} | ${measured} | ${reach ?? ''} | ${beyond ?? ''} | ${verdict} | ${countOf(result)} | ${inAll} | ${mean(meanOfAll)} | ${reachedAtWorst ?? ''} |`;
      }),
  ];
}

/** Medians are of the rounds that count; where none does they are of all, and show only that it works. */
function countOf({ roundsKept, roundsRun }: Pick<CellSummary, 'roundsKept' | 'roundsRun'>): string {
  return roundsKept === 0 ? `none of ${roundsRun}` : `${roundsKept} of ${roundsRun}`;
}

function cellTable(cells: readonly CellSummary[]): string[] {
  return [
    '| cell | rounds that count | items/s | CPU µs per item | statements | commits | WAL bytes | memory MB |',
    '| --- | ---: | ---: | --- | ---: | ---: | ---: | --- |',
    ...cells.map((cell) =>
      [
        '',
        cell.name,
        countOf(cell),
        spread(cell.perSecond),
        byRole(cell.cpuPerItem, (value) => value.toFixed(0)),
        cell.statementsPerItem.median.toFixed(1),
        cell.commitsPerItem.median.toFixed(2),
        cell.walBytesPerItem.median.toFixed(0),
        byRole(cell.memory, (value) => (value / 1_048_576).toFixed(0)),
        '',
      ]
        .join(' | ')
        .trim(),
    ),
  ];
}

function figureTable(cells: readonly CellSummary[]): string[] {
  return [
    '| cell | figure | measured |',
    '| --- | --- | ---: |',
    ...cells.flatMap(({ name, figures }) =>
      Object.entries(figures).map(
        ([figure, value]) => `| ${name} | ${figure} | ${spread(value)} |`,
      ),
    ),
  ];
}

function statementTable({ name, statements }: CellSummary): string[] {
  if (statements.length === 0) return [];
  return [
    `### ${name}`,
    '',
    '| statement | calls per item | ms per call | ms per item | planning ms per item | WAL bytes per item |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...statements.map(
      (one) =>
        `| \`${one.statement.replaceAll('|', '\\|')}\` | ${one.callsPerItem.toFixed(2)} | ${one.meanMilliseconds.toFixed(3)} | ${one.millisecondsPerItem.toFixed(3)} | ${one.planMillisecondsPerItem.toFixed(3)} | ${one.walBytesPerItem.toFixed(0)} |`,
    ),
    '',
  ];
}

function byRole(
  spreads: Readonly<Record<string, Spread>>,
  text: (value: number) => string,
): string {
  return Object.entries(spreads)
    .map(([role, { median }]) => `${role} ${text(median)}`)
    .join(', ');
}

function spread({ median, min, max }: Spread): string {
  return min === max ? short(median) : `${short(median)} (${short(min)}–${short(max)})`;
}

function mean(paired: PairedRatio | undefined): string {
  return paired === undefined ? '' : `${short(paired.ratio)} ± ${paired.error.toFixed(2)}`;
}

export function short(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function aligned(lines: readonly string[]): string[] {
  const rows = lines
    .filter((line) => !line.startsWith('| ---'))
    .map((line) => line.split('|').slice(1, -1));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').trim().length)),
  );
  return rows.length === 0 || widths.length === 0
    ? [...lines]
    : rows.map((row) =>
        row
          .map((text, column) => text.trim().padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
      );
}
