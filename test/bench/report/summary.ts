import type { Block, Cell } from '../cells/cell.ts';
import type { Machine } from '../machine.ts';
import type { StatementShare } from '../measure/database-counters.ts';
import type { Sample } from '../measure/sample.ts';
import { type Spread, spreadOf } from '../measure/statistics.ts';
import { driftAround, type Round } from '../rounds.ts';
import { type RatioResult, readRatios } from './ratios.ts';

export interface CellSummary {
  readonly name: string;
  readonly about: string;
  readonly unit: string;
  /** Rounds that count for it: the control did not drift from before to after it. Where none does, the figures are of all. */
  readonly roundsKept: number;
  readonly roundsRun: number;
  readonly perSecond: Spread;
  readonly figures: Readonly<Record<string, Spread>>;
  readonly cpuPerItem: Readonly<Record<string, Spread>>;
  readonly memory: Readonly<Record<string, Spread>>;
  readonly statementsPerItem: Spread;
  readonly commitsPerItem: Spread;
  readonly walBytesPerItem: Spread;
  /** Of the last round. */
  readonly statements: readonly StatementShare[];
}

/** What became of the rounds of a block. */
export interface BlockSummary {
  readonly name: string;
  readonly roundsRun: number;
  /** How far the looks at the control lie apart in each of them. */
  readonly drifts: readonly number[];
}

/** One measurement of a cell, in the order in which they were made: what changes while a run lasts is seen here alone. */
export interface MeasurementSummary {
  readonly cell: string;
  /** Of the control, right before and right after. */
  readonly control: readonly [number, number];
  readonly perSecond: number;
  readonly cpuPerItem: Readonly<Record<string, number>>;
}

/** What a report shows, and every measurement; results.json is this. */
export interface Summary {
  readonly machine: Machine;
  readonly setting: Readonly<Record<string, string | number | boolean>>;
  readonly blocks: readonly BlockSummary[];
  readonly cells: readonly CellSummary[];
  readonly ratios: readonly RatioResult[];
  readonly measurements: readonly MeasurementSummary[];
  readonly faults: readonly string[];
}

export function summarize(
  blocks: readonly Block[],
  rounds: readonly Round[],
  driftMax: number,
  machine: Machine,
  setting: Summary['setting'],
): Summary {
  return {
    machine,
    setting,
    blocks: blocks.map(({ name }) => summarizeBlock(name, rounds)),
    cells: blocks.flatMap(({ cells }) =>
      cells.flatMap((cell) => summarizeCell(cell, rounds, driftMax)),
    ),
    ratios: readRatios(rounds, driftMax, machine.cores),
    measurements: rounds.flatMap(summarizeMeasurements),
    faults: rounds.flatMap(({ faults }) => faults),
  };
}

function summarizeBlock(name: string, rounds: readonly Round[]): BlockSummary {
  const all = rounds.filter(({ block }) => block === name);
  return {
    name,
    roundsRun: all.length,
    drifts: all.map((round) => driftAround(round, [...round.looks.keys()])),
  };
}

function summarizeMeasurements({ samples, looks }: Round): MeasurementSummary[] {
  return [...samples].flatMap(([cell, { perSecond, cpuPerItem }]) => {
    const control = looks.get(cell);
    return control === undefined ? [] : [{ cell, control, perSecond, cpuPerItem }];
  });
}

function summarizeCell(
  { name, about, unit }: Cell,
  rounds: readonly Round[],
  driftMax: number,
): CellSummary[] {
  const run = rounds.filter(({ samples: all }) => all.has(name));
  const kept = run.filter((round) => driftAround(round, [name]) <= driftMax);
  const samples = (kept.length > 0 ? kept : run).flatMap((round) => round.samples.get(name) ?? []);
  const last = samples.at(-1);
  if (last === undefined) return [];
  const spread = (read: (sample: Sample) => number) => spreadOf(samples.map(read));
  const spreads = (read: (sample: Sample) => Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.keys(read(last)).map((key) => [key, spread((sample) => read(sample)[key] ?? 0)]),
    );
  return [
    {
      name,
      about,
      unit,
      roundsKept: kept.length,
      roundsRun: run.length,
      perSecond: spread((sample) => sample.perSecond),
      figures: spreads(({ figures }) => figures),
      cpuPerItem: spreads(({ cpuPerItem }) => cpuPerItem),
      memory: spreads(({ memory }) => memory),
      statementsPerItem: spread((sample) => sample.statementsPerItem),
      commitsPerItem: spread((sample) => sample.commitsPerItem),
      walBytesPerItem: spread((sample) => sample.walBytesPerItem),
      statements: last.statements,
    },
  ];
}
