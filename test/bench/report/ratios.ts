import type { Sample } from '../measure/sample.ts';
import {
  type PairedRatio,
  pairedRatio,
  type Spread,
  spreadOf,
  sumOf,
} from '../measure/statistics.ts';
import { SHAPES } from '../processes.ts';
import { driftAround, type Round } from '../rounds.ts';

/** A line of the table of goals: a figure of one cell, or of one divided by another's from the same round. */
interface Goal {
  readonly name: string;
  readonly of: string;
  /** Undefined where the figure itself is the goal. */
  readonly to?: string;
  readonly read: (sample: Sample) => number | undefined;
  /** Undefined where none is set and the ratio is for comparison. */
  readonly reach?: number;
  /** Undefined where no better one is set. */
  readonly beyond?: number;
  /** Whether less is better. */
  readonly isCost?: boolean;
  /** Cores without which it can't be shown: a worker and the database's part in its work take nearly two. */
  readonly cores?: number;
}

export interface RatioResult {
  readonly name: string;
  /** Of the rounds that count, of all where none does. Undefined when its cells were not measured. */
  readonly ratio: Spread | undefined;
  /** The same over all rounds, those that were thrown out too: for comparison, no verdict goes by it. */
  readonly ofAll: Spread | undefined;
  /** Of all rounds, too: what drifts up as often as down falls out of the mean. Undefined for a single one, or where one is not positive. */
  readonly meanOfAll: PairedRatio | undefined;
  /**
   * Rounds, of all, that reach the goal even if the machine was faster for the side that does well by as much as it changed around
   * both: however it changed, such a round shows the goal. Undefined where nothing is divided or no goal is set.
   */
  readonly reachedAtWorst: number | undefined;
  /** Rounds in which the control did not drift around its cells. */
  readonly roundsKept: number;
  /** Rounds that measured its cells. */
  readonly roundsRun: number;
  readonly reach: number | undefined;
  readonly beyond: number | undefined;
  readonly verdict: 'beyond' | 'reached' | 'missed' | 'too few cores' | 'not measured' | 'no goal';
}

const MEGABYTE = 1_048_576;

const rate = ({ perSecond }: Sample): number => perSecond;
const figure = (name: string) => (sample: Sample) => sample.figures[name];

export const GOALS: readonly Goal[] = SHAPES.flatMap((shape): Goal[] =>
  goalsOf(shape).map((goal) => ({ ...goal, name: `${goal.name}, ${shape}` })),
);

function goalsOf(shape: string): Goal[] {
  const registry = `registry-${shape}`;
  const drain = `drain-${shape}`;
  const accept = `open-${shape}/500`;
  const gate = `gate-${shape}`;
  return [
    {
      name: 'registered/s, 1 vehicle ÷ SQL limit',
      of: `${registry}/1`,
      to: `limit-${shape}/1`,
      read: rate,
      reach: 0.35,
      beyond: 0.6,
    },
    {
      name: 'registered/s, 500 vehicles ÷ SQL limit',
      of: `${registry}/500`,
      to: `limit-${shape}/500`,
      read: rate,
      reach: 0.7,
      beyond: 0.85,
    },
    {
      name: 'registered/s, 1 vehicle ÷ synchronous nested creates',
      of: `${registry}/1`,
      to: 'sync/1',
      read: rate,
      reach: 2,
      beyond: 4,
    },
    {
      name: 'registered/s, 500 vehicles ÷ synchronous nested creates',
      of: `${registry}/500`,
      to: 'sync/500',
      read: rate,
      reach: 8,
      beyond: 15,
    },
    {
      name: 'registered/s, 1 vehicle ÷ synchronous without the one-cover rule',
      of: `${registry}/1`,
      to: 'sync-unguarded/1',
      read: rate,
    },
    {
      name: 'registered/s, 500 vehicles ÷ synchronous without the one-cover rule',
      of: `${registry}/500`,
      to: 'sync-unguarded/500',
      read: rate,
    },
    {
      name: 'idle, POST to terminal p50 ÷ synchronous',
      of: `idle-${shape}/1`,
      to: 'idle-sync/1',
      read: figure('p50Ms'),
      reach: 2.5,
      beyond: 1.7,
      isCost: true,
    },
    {
      name: 'accept p99 under 70 % load ÷ synchronous, 500 vehicles',
      of: accept,
      to: 'open-sync/500',
      read: figure('p99Ms'),
      reach: 0.25,
      beyond: 0.15,
      isCost: true,
    },
    {
      name: 'polls/s ÷ bare Express with the same gate',
      of: `polls-${shape}`,
      to: gate,
      read: rate,
      reach: 0.6,
      beyond: 0.8,
    },
    {
      name: 'coverage checks/s ÷ bare Express with the same gate',
      of: `coverage-${shape}`,
      to: gate,
      read: rate,
      reach: 0.5,
      beyond: 0.75,
    },
    {
      name: 'CPU per registration with 10 million vehicles ÷ with 10 thousand',
      of: `registered-${shape}/10m`,
      to: `registered-${shape}/10k`,
      read: registeringMicroseconds,
      reach: 1.4,
      beyond: 1.15,
      isCost: true,
    },
    {
      name: 'time per registration with 10 million vehicles ÷ with 10 thousand',
      of: `registered-${shape}/10m`,
      to: `registered-${shape}/10k`,
      read: ({ perSecond }) => 1 / perSecond,
      reach: 1.4,
      beyond: 1.15,
      isCost: true,
    },
    {
      name: 'drain rate with 1 million queued ÷ with 1 thousand',
      of: `${drain}/1m`,
      to: `${drain}/1k`,
      read: rate,
      reach: 0.9,
      beyond: 0.97,
    },
    {
      name: 'throughput at twice the peak load ÷ peak',
      of: `overload-${shape}`,
      read: figure('toPeak'),
      reach: 0.95,
      beyond: 0.98,
    },
    {
      name: "a small insurer's p99 while a pool dumps ÷ when it does not",
      of: `small-${shape}/dump`,
      to: `small-${shape}/alone`,
      read: figure('p99Ms'),
      reach: 3,
      beyond: 1.5,
      isCost: true,
    },
    {
      name: "a small insurer's p99 while a pool sends over 200 connections ÷ when it does not",
      of: `small-${shape}/crowd`,
      to: `small-${shape}/alone`,
      read: figure('p99Ms'),
      reach: 3,
      isCost: true,
    },
    {
      name: 'drain rate, 40 organizations that share ÷ one alone (fairness)',
      of: `sharing-${shape}/40`,
      to: `sharing-${shape}/1`,
      read: rate,
      reach: 0.95,
    },
    {
      name: 'CPU per settled transmission, 40 organizations that share ÷ one alone (fairness)',
      of: `sharing-${shape}/40`,
      to: `sharing-${shape}/1`,
      read: registeringMicroseconds,
      reach: 1.05,
      isCost: true,
    },
    {
      name: 'two workers ÷ one, where cores allow',
      of: `${drain}/1k`,
      to: `${drain}/1k-1-worker`,
      read: rate,
      reach: 1.6,
      beyond: 1.9,
      cores: 4,
    },
    {
      name: 'four workers ÷ one, where cores allow',
      of: `${drain}/4k-4-workers`,
      to: `${drain}/1k-1-worker`,
      read: rate,
      reach: 1.6,
      beyond: 1.9,
      cores: 8,
    },
    {
      name: 'commits per registered transmission under load',
      of: `${registry}/1`,
      read: ({ commitsPerItem }) => commitsPerItem,
      reach: 2,
      beyond: 0.2,
      isCost: true,
    },
    {
      name: 'resident memory of a worker, MB',
      of: `${registry}/1`,
      read: workerMegabytes,
      reach: 150,
      beyond: 110,
      isCost: true,
    },
  ];
}

/** CPU per item of all but the benchmark itself, which makes and sends what is registered. */
function registeringMicroseconds({ cpuPerItem }: Sample): number {
  const { bench: _generator, ...registering } = cpuPerItem;
  return sumOf(Object.values(registering));
}

function workerMegabytes({ memory }: Sample): number | undefined {
  const bytes = memory['worker'];
  return bytes === undefined ? undefined : bytes / MEGABYTE;
}

/** Both sides of a ratio come from one round, which counts when the control drifts by no more around them; `cores` are the machine's. */
export function readRatios(
  rounds: readonly Round[],
  driftMax: number,
  cores: number,
): RatioResult[] {
  return [
    ...GOALS.map((goal) => {
      const result = judge(goal, valuesOver(goal, rounds, driftMax));
      const isShort = result.verdict === 'missed' && cores < (goal.cores ?? 0);
      return isShort ? { ...result, verdict: 'too few cores' as const } : result;
    }),
    ...SHAPES.map((shape) => judgeFlatness(shape, rounds)),
  ];
}

interface Value {
  readonly value: number;
  readonly drift: number;
  readonly isKept: boolean;
}

function valuesOver(goal: Goal, rounds: readonly Round[], driftMax: number): Value[] {
  const { of, to } = goal;
  return rounds.flatMap((round) => {
    const above = readFrom(round.samples.get(of), goal);
    const below = to === undefined ? 1 : readFrom(round.samples.get(to), goal);
    if (above === undefined || below === undefined || below === 0) return [];
    const drift = driftAround(round, to === undefined ? [of] : [of, to]);
    return [{ value: above / below, drift, isKept: drift <= driftMax }];
  });
}

/** Whether a worker that has registered for rounds is larger than after the first, however fast the machine was. */
function judgeFlatness(shape: string, rounds: readonly Round[]): RatioResult {
  const megabytes = rounds.flatMap(({ samples }) => {
    const sample = samples.get(`registry-${shape}/1`);
    return (sample && workerMegabytes(sample)) ?? [];
  });
  const [first] = megabytes;
  const last = megabytes.at(-1);
  const isRead = first !== undefined && last !== undefined && megabytes.length > 1;
  return judge(
    {
      name: `resident memory of a worker in the last round ÷ in the first, ${shape}`,
      reach: 1.1,
      beyond: 1.05,
      isCost: true,
    },
    isRead ? [{ value: last / first, drift: 0, isKept: true }] : [],
  );
}

function readFrom(sample: Sample | undefined, { read }: Goal): number | undefined {
  return sample === undefined ? undefined : read(sample);
}

function judge(
  goal: Pick<Goal, 'name' | 'to' | 'reach' | 'beyond' | 'isCost'>,
  values: readonly Value[],
): RatioResult {
  const { name, reach, beyond } = goal;
  const kept = values.filter(({ isKept }) => isKept);
  const ratio = spreadOver(kept.length > 0 ? kept : values);
  return {
    name,
    ratio,
    ofAll: spreadOver(values),
    meanOfAll: meanOver(values),
    reachedAtWorst: countAtWorst(goal, values),
    roundsKept: kept.length,
    roundsRun: values.length,
    reach,
    beyond,
    verdict: verdictOn(goal, ratio),
  };
}

function meanOver(values: readonly Value[]): PairedRatio | undefined {
  const ratios = values.map(({ value }) => value);
  if (ratios.length < 2 || ratios.some((ratio) => ratio <= 0)) return undefined;
  return pairedRatio(
    ratios.map(() => 1),
    ratios,
  );
}

function countAtWorst(
  { to, reach, isCost = false }: Pick<Goal, 'to' | 'reach' | 'isCost'>,
  values: readonly Value[],
): number | undefined {
  if (to === undefined || reach === undefined) return undefined;
  const isReached = ({ value, drift }: Value) =>
    isCost ? value * (1 + drift) <= reach : value / (1 + drift) >= reach;
  return values.filter(isReached).length;
}

function spreadOver(values: readonly Value[]): Spread | undefined {
  return values.length === 0 ? undefined : spreadOf(values.map(({ value }) => value));
}

function verdictOn(
  { reach, beyond, isCost = false }: Pick<Goal, 'reach' | 'beyond' | 'isCost'>,
  ratio: Spread | undefined,
): RatioResult['verdict'] {
  if (ratio === undefined) return 'not measured';
  if (reach === undefined) return 'no goal';
  const isWithin = (goal: number) => (isCost ? ratio.median <= goal : ratio.median >= goal);
  if (beyond !== undefined && isWithin(beyond)) return 'beyond';
  return isWithin(reach) ? 'reached' : 'missed';
}
