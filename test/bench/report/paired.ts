import type { Sample } from '../measure/sample.ts';
import { pairedRatio, percentile, sumOf } from '../measure/statistics.ts';
import { short } from './markdown.ts';

/** What is measured, such as a build, and its samples, one a round. */
export interface SamplesOfEntrant {
  readonly name: string;
  readonly samples: readonly Sample[];
}

/**
 * As a table of Markdown: medians, and how many times the first one the others are in a round. A round that not all of
 * them have is left out.
 */
export function describePaired(entrants: readonly SamplesOfEntrant[]): string {
  const rounds = Math.min(...entrants.map(({ samples }) => samples.length));
  const [first = [], ...others] = entrants.map(({ samples }) => samples.slice(0, rounds));
  const roles = Object.keys(first[0]?.cpuPerItem ?? {});
  const measures: (readonly [string, (sample: Sample) => number])[] = [
    ['items per second', ({ perSecond }) => perSecond],
    ['CPU of all, µs per item', ({ cpuPerItem }) => sumOf(Object.values(cpuPerItem))],
    ...roles.map(
      (role) =>
        [`CPU ${role}, µs per item`, (sample: Sample) => sample.cpuPerItem[role] ?? 0] as const,
    ),
    ['statements per item', ({ statementsPerItem }) => statementsPerItem],
    ['commits per item', ({ commitsPerItem }) => commitsPerItem],
    ['WAL bytes per item', ({ walBytesPerItem }) => walBytesPerItem],
    ['memory of workers, bytes', ({ memory }) => memory['worker'] ?? 0],
    ...Object.keys(first[0]?.figures ?? {}).map(
      (name) => [name, ({ figures }: Sample) => figures[name] ?? 0] as const,
    ),
  ];
  return [
    `| ${rounds} rounds | ${entrants.map(({ name }) => name).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(entrants.length)}`,
    ...measures.flatMap(([name, read]) => {
      const base = first.map(read);
      // Of what some rounds have none, such as time of Redis in ticks of the clock, there is no ratio.
      if (base.length === 0 || base.some((value) => value <= 0)) return [];
      const cells = others.map((other) => ratioText(base, other.map(read)));
      return `| ${[name, short(percentile(base, 50)), ...cells].join(' | ')} |`;
    }),
  ].join('\n');
}

/** Of one kind of process: by build, microseconds of CPU, one figure a round. */
export interface OwnWorkOfRole {
  readonly role: string;
  readonly builds: readonly (readonly number[])[];
}

/** As a table of Markdown, in the same way. */
export function describeOwnWork(
  folders: readonly string[],
  measured: readonly OwnWorkOfRole[],
): string {
  const rounds = measured[0]?.builds[0]?.length ?? 0;
  return [
    `| ${rounds} rounds, CPU in µs per item | ${folders.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(folders.length)}`,
    ...measured.map(({ role, builds: [first = [], ...others] }) => {
      const cells = others.map((other) => ratioText(first, other));
      return `| ${[role, short(percentile(first, 50)), ...cells].join(' | ')} |`;
    }),
  ].join('\n');
}

function ratioText(base: readonly number[], values: readonly number[]): string {
  const median = short(percentile(values, 50));
  if (values.some((value) => value <= 0)) return median;
  const { ratio, error } = pairedRatio(base, values);
  const doubt = Number.isNaN(error) ? '' : ` ± ${error.toFixed(3)}`;
  return `${median} (× ${ratio.toFixed(3)}${doubt})`;
}
