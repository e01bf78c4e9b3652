import type { Cell } from './cells/cell.ts';
import { CELLS } from './cells/table.ts';
import { describeMachine } from './machine.ts';
import { makeBuild } from './processes.ts';
import { toText } from './report/markdown.ts';
import { summarize } from './report/summary.ts';
import { writeReport } from './report/write-report.ts';
import { type RoundsOptions, runRounds } from './rounds.ts';
import { type Servers, startServers } from './servers.ts';
import { makeWorld, type World } from './world.ts';

export interface BenchOptions {
  readonly quick: boolean;
  readonly only?: readonly string[];
  readonly rounds?: number;
  readonly workers: number;
  readonly scale?: number;
  /** Undefined writes no results. */
  readonly out?: string | undefined;
  readonly build: boolean;
  readonly profile?: string;
  readonly planning: boolean;
}

const DRIFT_MAX = 0.05;
/** Left out of a quick run unless they are asked for; a smaller one of each kind stays. */
const LONG_CELLS = /^(open-.*|idle-.*\/500|sync.*\/500)$/;
/** As a shell reports it. */
const INTERRUPTED = 130;

/** Returns the exit code: 1 when a cell was wrong or could not be measured. */
export async function runBench(options: BenchOptions): Promise<number> {
  const cells = chooseCells(options);
  if (cells.length === 0) {
    process.stderr.write(`no such cell; there are ${CELLS.map(({ name }) => name).join(', ')}\n`);
    return 1;
  }
  const build = makeBuild({ builds: options.build });
  const servers = await startServers({ tracksPlanning: options.planning });
  const world = makeWorld({
    servers,
    build,
    workers: options.workers,
    profileFolder: options.profile,
  });
  const stopOnSignal = (): void => void stopAndExit(world, servers);
  process.once('SIGINT', stopOnSignal);
  process.once('SIGTERM', stopOnSignal);
  try {
    const rounds = await runRounds(world, cells, roundsOf(options));
    const summary = summarize(cells, rounds, describeMachine(servers), {
      workers: options.workers,
      built: build.isBuilt,
      quick: options.quick,
      planningCounted: options.planning,
    });
    process.stdout.write(toText(summary));
    if (options.out !== undefined) writeReport(options.out, summary);
    return summary.faults.length === 0 ? 0 : 1;
  } finally {
    process.off('SIGINT', stopOnSignal);
    process.off('SIGTERM', stopOnSignal);
    await world.stop();
    await servers.stop();
  }
}

/** The servers run on their own and would stay. */
async function stopAndExit(world: World, servers: Servers): Promise<never> {
  try {
    await world.stop();
    await servers.stop();
  } finally {
    process.exit(INTERRUPTED);
  }
}

function chooseCells({ only, quick }: BenchOptions): readonly Cell[] {
  if (only !== undefined) {
    return CELLS.filter(({ name }) => only.some((start) => name.startsWith(start)));
  }
  return quick ? CELLS.filter(({ name }) => !LONG_CELLS.test(name)) : CELLS;
}

function roundsOf({ quick, rounds, scale }: BenchOptions): RoundsOptions {
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`);
  if (quick) {
    return {
      rounds: rounds ?? 1,
      // Noise is no reason to fail a smoke test.
      driftMax: Number.POSITIVE_INFINITY,
      attemptsMax: rounds ?? 1,
      scale: { factor: scale ?? 0.1 },
      warmUp: undefined,
      controlItems: 200,
      onProgress,
    };
  }
  const wanted = rounds ?? 5;
  return {
    rounds: wanted,
    driftMax: DRIFT_MAX,
    attemptsMax: wanted * 2,
    scale: { factor: scale ?? 1 },
    warmUp: { factor: 0.25 },
    controlItems: 1_500,
    onProgress,
  };
}
