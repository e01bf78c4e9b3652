import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toMarkdown } from './markdown.ts';
import { plotCpu, plotRates } from './plot.ts';
import type { CellSummary, Summary } from './summary.ts';

interface Plot {
  readonly file: string;
  readonly title: string;
  readonly cells: (cell: CellSummary) => boolean;
  readonly draw: (title: string, cells: readonly CellSummary[]) => string;
}

const REGISTERING = /^(limit-\w+|registry-\w+|sync|sync-unguarded|sync-sql)\//;
const PLOTS: readonly Plot[] = [
  {
    file: 'registrations-1.svg',
    title: 'Certificates of 1 vehicle per second',
    cells: ({ name }) => REGISTERING.test(name) && name.endsWith('/1'),
    draw: plotRates,
  },
  {
    file: 'registrations-500.svg',
    title: 'Certificates of 500 vehicles per second',
    cells: ({ name }) => REGISTERING.test(name) && name.endsWith('/500'),
    draw: plotRates,
  },
  {
    file: 'cpu-1.svg',
    title: 'CPU microseconds per certificate of 1 vehicle',
    cells: ({ name }) => REGISTERING.test(name) && name.endsWith('/1'),
    draw: plotCpu,
  },
  {
    file: 'cpu-500.svg',
    title: 'CPU microseconds per certificate of 500 vehicles',
    cells: ({ name }) => REGISTERING.test(name) && name.endsWith('/500'),
    draw: plotCpu,
  },
  {
    file: 'lookups.svg',
    title: 'Lookups and coverage checks per second',
    cells: ({ name }) => /^(polls|coverage|gate|hello)/.test(name),
    draw: plotRates,
  },
  {
    file: 'drains.svg',
    title: 'Certificates of 1 vehicle that workers settle per second under backlog',
    cells: ({ name }) => name.startsWith('drain-'),
    draw: plotRates,
  },
  {
    file: 'registered.svg',
    title: 'CPU microseconds per certificate in a young and a grown registry',
    cells: ({ name }) => name.startsWith('registered-'),
    draw: plotCpu,
  },
  {
    file: 'jobs.svg',
    title: 'Jobs that do nothing, per second',
    cells: ({ name }) => name.startsWith('jobs-'),
    draw: plotRates,
  },
];

/** results.json, results.md and the plots of the cells that were measured. */
export function writeReport(folder: string, summary: Summary): void {
  mkdirSync(folder, { recursive: true });
  const drawn = PLOTS.flatMap(({ file, title, cells, draw }) => {
    const shown = summary.cells.filter(cells);
    if (shown.length === 0) return [];
    writeFileSync(join(folder, file), draw(title, shown));
    return file;
  });
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(summary, null, 2)}\n`);
  writeFileSync(join(folder, 'results.md'), toMarkdown(summary, drawn));
}
