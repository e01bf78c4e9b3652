import type { DataOf } from '../../../api/contract.ts';
import { CHART_COLORS, type ChartData } from '../../../ui/chart/chart-data.ts';

type QueuePoint = DataOf<'readQueueHistory'>['points'][number];
type CountPoint = DataOf<'readTransmissionSeries'>['points'][number];

/** The lines of one chart: names, and the members that they show. */
export type Lines = readonly (readonly [label: string, member: Exclude<keyof QueuePoint, 'at'>])[];

/** Steps without a live worker are gaps. */
export function queueChart(
  points: readonly QueuePoint[],
  steps: readonly number[],
  lines: Lines,
): ChartData {
  const byTime = new Map(points.map((point) => [Date.parse(point.at), point]));
  return {
    times: steps.map(toSeconds),
    series: lines.map(([label, member]) => ({
      label,
      values: steps.map((step) => byTime.get(step)?.[member] ?? null),
    })),
  };
}

/** One line for each key, the most frequent first, and the sum of those that are too many to tell apart. */
export function countChart(
  points: readonly CountPoint[],
  steps: readonly number[],
  wordsOf: (key: string) => string,
): ChartData {
  const byTime = new Map(points.map(({ at, counts }) => [Date.parse(at), counts]));
  const keys = keysByCount(points);
  const isOver = keys.length > CHART_COLORS;
  const shown = isOver ? keys.slice(0, CHART_COLORS - 1) : keys;
  const lineOf = (label: string, isIn: (key: string) => boolean) => ({
    label,
    values: steps.map((step) =>
      sum((byTime.get(step) ?? []).filter(({ key }) => isIn(key)).map(({ count }) => count)),
    ),
  });
  return {
    times: steps.map(toSeconds),
    series: [
      ...shown.map((key) => lineOf(wordsOf(key), (one) => one === key)),
      ...(isOver ? [lineOf('Others', (one) => !shown.includes(one))] : []),
    ],
  };
}

function keysByCount(points: readonly CountPoint[]): string[] {
  const totals = new Map<string, number>();
  for (const { counts } of points)
    for (const { key, count } of counts) totals.set(key, (totals.get(key) ?? 0) + count);
  return [...totals].sort(([, a], [, b]) => b - a).map(([key]) => key);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function toSeconds(ms: number): number {
  return ms / 1_000;
}
