import type { Block, Cell, Scale } from './cells/cell.ts';
import { measureLimit } from './cells/registration.ts';
import type { Sample } from './measure/sample.ts';
import { percentile } from './measure/statistics.ts';
import type { World } from './world.ts';

/** One block, measured once between two looks at the control. */
export interface Round {
  readonly block: string;
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
  /** Rounds of each block that must count. */
  readonly rounds: number;
  /** A round that drifts further is thrown out and another one run, up to `attemptsMax` in all. */
  readonly driftMax: number;
  readonly attemptsMax: number;
  /** On the clock of `performance`; a round that would end later is not begun, but each block is measured once. */
  readonly endsAtMs: number;
  readonly scale: Scale;
  readonly warmUp: Scale;
  readonly controlItems: number;
  readonly onProgress: (line: string) => void;
}

const CONTROL_DATABASE = 'bench_control';
/** Looks at the control each time; the middle one counts. */
const CONTROL_LOOKS = 3;

/** What a look at the control takes on two cores, for the forecast. */
export const CONTROL_SECONDS = 5;

/**
 * All blocks in every round, each round beginning with another block and each block with another cell, so that no cell
 * always has the same neighbours. The machine is watched block by block: what drifts is repeated alone.
 */
export async function runRounds(
  world: World,
  blocks: readonly Block[],
  options: RoundsOptions,
): Promise<Round[]> {
  const { rounds: wanted, attemptsMax, endsAtMs, onProgress } = options;
  await warmUp(world, blocks, options);
  const rounds: Round[] = [];
  const tookMs = new Map<string, number>();
  let control = await measureControl(world, options.controlItems);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    for (const block of rotated(blocks, attempt)) {
      const kept = rounds.filter((one) => one.isKept && one.block === block.name).length;
      const endMs = performance.now() + (tookMs.get(block.name) ?? 0);
      if (kept >= wanted || (attempt > 0 && endMs > endsAtMs)) continue;
      const started = performance.now();
      const cells = rotated(block.cells, attempt);
      const round = await runRound(world, { name: block.name, cells }, control, options);
      control = round.control[1];
      tookMs.set(block.name, performance.now() - started);
      rounds.push(round);
      onProgress(
        `round ${attempt + 1}  ${block.name}  control ${round.control.map((one) => one.toFixed(0)).join(' → ')}/s, drift ${(round.drift * 100).toFixed(1)} %${round.isKept ? '' : ', thrown out'}`,
      );
    }
  }
  return rounds;
}

async function warmUp(
  world: World,
  blocks: readonly Block[],
  { scale, warmUp: small, controlItems, onProgress }: RoundsOptions,
): Promise<void> {
  const cells = blocks.flatMap((block) => block.cells);
  for (const { name, prepare } of cells) {
    if (prepare === undefined) continue;
    onProgress(`prepare  ${name}`);
    // What fails here fails again, and is told, when it is measured.
    await prepare(world, scale).catch((error: unknown) => onProgress(`WRONG: ${String(error)}`));
  }
  for (const cell of cells) {
    if (cell.warmsUpItself === true) continue;
    onProgress(`warm-up  ${cell.name}`);
    const sample = await measured(world, cell, small);
    if (typeof sample === 'string') onProgress(`WRONG: ${sample}`);
  }
  await measureControl(world, controlItems);
}

async function runRound(
  world: World,
  { name, cells }: { readonly name: string; readonly cells: readonly Cell[] },
  before: number,
  { scale, controlItems, driftMax, onProgress }: RoundsOptions,
): Promise<Round> {
  const samples = new Map<string, Sample>();
  const faults: string[] = [];
  for (const cell of cells) {
    const sample = await measured(world, cell, scale);
    if (typeof sample === 'string') {
      onProgress(`  ${cell.name}  WRONG: ${sample}`);
      faults.push(`${cell.name}: ${sample}`);
      continue;
    }
    onProgress(
      `  ${cell.name}  ${sample.perSecond.toFixed(1)}/s${sample.faults.length === 0 ? '' : `  WRONG: ${sample.faults.join('; ')}`}`,
    );
    faults.push(...sample.faults.map((fault) => `${cell.name}: ${fault}`));
    if (sample.faults.length === 0) samples.set(cell.name, sample);
  }
  const after = await measureControl(world, controlItems);
  const drift = Math.abs(after / before - 1);
  return {
    block: name,
    control: [before, after],
    drift,
    isKept: drift <= driftMax,
    samples,
    faults,
  };
}

/** Why it could not be measured, if it could not: the others can. */
async function measured(world: World, cell: Cell, scale: Scale): Promise<Sample | string> {
  try {
    const sample = await cell.measure(world, scale);
    return sample.items > 0 ? sample : 'nothing was done while it was measured';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The same work each time: registrations of one vehicle straight on PostgreSQL. */
async function measureControl(world: World, items: number): Promise<number> {
  const database = await world.database(CONTROL_DATABASE);
  const looks: number[] = [];
  for (let look = 0; look < CONTROL_LOOKS; look += 1) {
    const { perSecond, faults } = await measureLimit(world.servers, database, {
      vehicles: 1,
      items: Math.ceil(items / CONTROL_LOOKS),
    });
    if (faults.length > 0) throw new Error(`the control was wrong: ${faults.join('; ')}`);
    looks.push(perSecond);
  }
  return percentile(looks, 50);
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
