import type { Block, Cell, Scale } from './cells/cell.ts';
import type { Sample } from './measure/sample.ts';
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
  readonly onProgress: (line: string) => void;
  /** As soon as it is over, so that who breaks off has those before. */
  readonly onRound: (round: Round) => void;
}

/** What never changes by itself, per second: only the machine makes it faster or slower. */
export type Control = () => Promise<number>;

/**
 * All blocks in every round, each round beginning with another block and each block with another cell, so that no cell
 * always has the same neighbours. The machine is watched block by block: what drifts is repeated alone.
 */
export async function runRounds(
  world: World,
  blocks: readonly Block[],
  measureControl: Control,
  options: RoundsOptions,
): Promise<void> {
  const { rounds: wanted, driftMax, attemptsMax, endsAtMs, onProgress, onRound } = options;
  await warmUp(world, blocks, options);
  await measureControl();
  const keptOf = new Map<string, number>();
  const tookMs = new Map<string, number>();
  let control = await measureControl();
  for (let attempt = 0, goesOn = true; goesOn && attempt < attemptsMax; attempt += 1) {
    goesOn = false;
    for (const block of rotated(blocks, attempt)) {
      const kept = keptOf.get(block.name) ?? 0;
      const endMs = performance.now() + (tookMs.get(block.name) ?? 0);
      if (kept >= wanted || (attempt > 0 && endMs > endsAtMs)) continue;
      goesOn = true;
      const started = performance.now();
      const cells = rotated(block.cells, attempt);
      const { samples, faults } = await measureCells(world, cells, options);
      const before = control;
      control = await measureControl();
      const drift = Math.abs(control / before - 1);
      const round: Round = {
        block: block.name,
        control: [before, control],
        drift,
        isKept: drift <= driftMax,
        samples,
        faults,
      };
      tookMs.set(block.name, performance.now() - started);
      if (round.isKept) keptOf.set(block.name, kept + 1);
      onRound(round);
      onProgress(
        `round ${attempt + 1}  ${block.name}  control ${round.control.map((one) => one.toFixed(0)).join(' → ')}/s, drift ${(round.drift * 100).toFixed(1)} %${round.isKept ? '' : ', thrown out'}`,
      );
    }
  }
}

async function warmUp(
  world: World,
  blocks: readonly Block[],
  { scale, warmUp: small, onProgress }: RoundsOptions,
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
    const factor = small.factor * (small.isQuick ? 1 : (cell.warmUpTimes ?? 1));
    const sample = await measured(world, cell, { ...small, factor });
    if (typeof sample === 'string') onProgress(`WRONG: ${sample}`);
  }
}

async function measureCells(
  world: World,
  cells: readonly Cell[],
  { scale, onProgress }: RoundsOptions,
): Promise<Pick<Round, 'samples' | 'faults'>> {
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
  return { samples, faults };
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

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
