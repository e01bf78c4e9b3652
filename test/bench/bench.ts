import { cpus } from 'node:os';
import type { Block } from './cells/cell.ts';
import { BLOCKS } from './cells/table.ts';
import { makeControl } from './control.ts';
import { forecast } from './forecast.ts';
import { describeMachine } from './machine.ts';
import { makeBuild } from './processes.ts';
import { toText } from './report/markdown.ts';
import { GOALS } from './report/ratios.ts';
import { type Summary, summarize } from './report/summary.ts';
import { writeReport } from './report/write-report.ts';
import { type Comparison, DRIFT_MAX, type Round, type RoundsOptions, runRounds } from './rounds.ts';
import { withWorld } from './with-world.ts';
import type { World } from './world.ts';

export interface BenchOptions {
  readonly quick: boolean;
  readonly only?: readonly string[];
  readonly rounds?: number;
  /** Rounds that would end later are not begun. */
  readonly minutes?: number;
  readonly workers: number;
  readonly scale?: number;
  readonly turns?: number;
  /** Undefined writes no results. */
  readonly out?: string | undefined;
  readonly build: boolean;
  readonly profile?: string;
  readonly planning: boolean;
}

const ROUNDS = 5;
const TURNS = 8;

/** Returns the exit code: 1 when a cell was wrong or could not be measured. */
export async function runBench(options: BenchOptions): Promise<number> {
  const startedMs = performance.now();
  const blocks = chooseBlocks(options);
  if (blocks.length === 0) {
    const names = BLOCKS.flatMap(({ cells }) => cells.map(({ name }) => name));
    print(`no such cell; there are ${names.join(', ')}`);
    return 1;
  }
  const rounds = roundsOf(options, blocks, startedMs);
  print(forecast(blocks, rounds, options.minutes));
  const build = makeBuild({ builds: options.build });
  const measured: Round[] = [];
  const report = ({ servers }: World): Summary => {
    const minutes = (performance.now() - startedMs) / 60_000;
    const summary = summarize(blocks, measured, rounds.driftMax, describeMachine(servers), {
      workers: options.workers,
      built: build.isBuilt,
      quick: options.quick,
      turns: rounds.turns,
      scale: Math.round(rounds.scale.factor * rounds.turns * 1_000) / 1_000,
      planningCounted: options.planning,
      minutes: Math.round(minutes * 10) / 10,
    });
    process.stdout.write(toText(summary));
    if (options.out !== undefined) {
      writeReport(options.out, summary);
      print(`written to ${options.out}`);
    }
    return summary;
  };
  const worldOptions = {
    build,
    workers: options.workers,
    tracksPlanning: options.planning,
    profileFolder: options.profile,
    onBreak: (world: World) => void (measured.length > 0 && report(world)),
  };
  return withWorld(worldOptions, async (world) => {
    const control = makeControl(world, cpus().length);
    const onRound = (round: Round): void => void measured.push(round);
    await runRounds(world, blocks, control, { ...rounds, onRound });
    return report(world).faults.length === 0 ? 0 : 1;
  });
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** On a machine that others use, too, many rounds are thrown out: whoever says how long it may take gets what comes of it. */
function attemptsWithin(rounds: number, minutes: number | undefined): number {
  return minutes === undefined ? rounds * 2 : Number.POSITIVE_INFINITY;
}

function chooseBlocks({ only, quick }: BenchOptions): readonly Block[] {
  const names = new Set(BLOCKS.flatMap(({ cells }) => cells.map(({ name }) => name)));
  const isMeant = (name: string) => (meant: string) =>
    names.has(meant) ? name === meant : name.startsWith(meant);
  return BLOCKS.flatMap(({ name, cells }) => {
    const chosen = cells.filter((cell) =>
      only === undefined ? !quick || cell.isLong !== true : only.some(isMeant(cell.name)),
    );
    return chosen.length === 0 ? [] : [{ name, cells: chosen }];
  });
}

function roundsOf(
  { quick, rounds = quick ? 1 : ROUNDS, turns = quick ? 1 : TURNS, minutes, scale }: BenchOptions,
  blocks: readonly Block[],
  startedMs: number,
): Omit<RoundsOptions, 'onRound'> {
  const factor = scale ?? (quick ? 0.1 : 1);
  return {
    rounds,
    comparisons: comparisonsWithin(blocks),
    // Noise is no reason to fail a smoke test.
    driftMax: quick ? Number.POSITIVE_INFINITY : DRIFT_MAX,
    attemptsMax: quick ? rounds : attemptsWithin(rounds, minutes),
    endsAtMs: minutes === undefined ? Number.POSITIVE_INFINITY : startedMs + minutes * 60_000,
    turns,
    scale: { factor: factor / turns, isQuick: quick },
    warmUp: { factor: quick ? factor : factor / 4, isQuick: quick },
    onProgress: print,
  };
}

/** Each cell alone, and the two sides of each ratio. */
function comparisonsWithin(blocks: readonly Block[]): Comparison[] {
  const names = new Set(blocks.flatMap(({ cells }) => cells.map(({ name }) => name)));
  const pairs = GOALS.flatMap(({ of, to }) => (to === undefined ? [] : [[of, to]]));
  return [
    ...[...names].map((name) => [name]),
    ...pairs.filter((pair) => pair.every((name) => names.has(name))),
  ];
}
