import type { Cell, Scale } from './cells/cell.ts';
import { measureLimit } from './cells/registration.ts';
import type { Sample } from './measure/sample.ts';
import type { World } from './world.ts';

export interface Round {
  /** Registrations per second of the control, before and after the cells. */
  readonly control: readonly [number, number];
  /** How far the two lie apart, of the first. */
  readonly drift: number;
  readonly isKept: boolean;
  /** By the name of the cell; only those that could be measured. */
  readonly samples: ReadonlyMap<string, Sample>;
  readonly faults: readonly string[];
}

export interface RoundsOptions {
  readonly rounds: number;
  /** A round that drifts further is thrown out and another one run, up to `attemptsMax` in all. */
  readonly driftMax: number;
  readonly attemptsMax: number;
  readonly scale: Scale;
  /** Undefined measures cold processes. */
  readonly warmUp: Scale | undefined;
  readonly controlItems: number;
  readonly onProgress: (line: string) => void;
}

const CONTROL_DATABASE = 'bench_control';

/** All cells in every round, each round beginning with another one, so that no cell always has the same neighbours. */
export async function runRounds(
  world: World,
  cells: readonly Cell[],
  options: RoundsOptions,
): Promise<Round[]> {
  const { onProgress, warmUp } = options;
  if (warmUp !== undefined) {
    for (const cell of cells) {
      onProgress(`warm-up  ${cell.name}`);
      await cell.measure(world, warmUp);
    }
    await measureControl(world, options.controlItems);
  }
  const rounds: Round[] = [];
  let kept = 0;
  while (kept < options.rounds && rounds.length < options.attemptsMax) {
    const round = await runRound(world, rotated(cells, rounds.length), options, rounds.length + 1);
    rounds.push(round);
    if (round.isKept) kept += 1;
    onProgress(
      `round ${rounds.length}  control ${round.control.map((one) => one.toFixed(0)).join(' → ')}/s, drift ${(round.drift * 100).toFixed(1)} %${round.isKept ? '' : ', thrown out'}`,
    );
  }
  return rounds;
}

async function runRound(
  world: World,
  cells: readonly Cell[],
  { scale, controlItems, driftMax, onProgress }: RoundsOptions,
  number: number,
): Promise<Round> {
  const samples = new Map<string, Sample>();
  const faults: string[] = [];
  const before = await measureControl(world, controlItems);
  for (const cell of cells) {
    const sample = await cell.measure(world, scale);
    onProgress(
      `round ${number}  ${cell.name}  ${sample.perSecond.toFixed(1)}/s${sample.faults.length === 0 ? '' : `  WRONG: ${sample.faults.join('; ')}`}`,
    );
    faults.push(...sample.faults.map((fault) => `${cell.name}: ${fault}`));
    if (sample.faults.length === 0) samples.set(cell.name, sample);
  }
  const after = await measureControl(world, controlItems);
  const drift = Math.abs(after / before - 1);
  return { control: [before, after], drift, isKept: drift <= driftMax, samples, faults };
}

/** The same work each time: registrations of one vehicle straight on PostgreSQL. */
async function measureControl(world: World, items: number): Promise<number> {
  const database = await world.database(CONTROL_DATABASE);
  const { perSecond, faults } = await measureLimit(world.servers, database, { vehicles: 1, items });
  if (faults.length > 0) throw new Error(`the control was wrong: ${faults.join('; ')}`);
  return perSecond;
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
