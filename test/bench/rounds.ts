import { type Block, type Cell, groupOf, type Scale } from './cells/cell.ts';
import { type Sample, UNWATCHED } from './measure/sample.ts';
import { type Control, measured, measureSideBySide } from './turns.ts';
import type { World } from './world.ts';

/** How far the control may drift around what is compared in a round that counts. */
export const DRIFT_MAX = 0.05;

/** One block, measured once. */
export interface Round {
  readonly block: string;
  /** By the name of the cell: what the control did per second right before and right after its work, in the mean of its turns. */
  readonly looks: ReadonlyMap<string, readonly [number, number]>;
  /** By the name of the cell; only those that could be measured. */
  readonly samples: ReadonlyMap<string, Sample>;
  readonly faults: readonly string[];
}

/** Names of cells whose figures mean something only when the machine was the same for all of them. */
export type Comparison = readonly string[];

export interface RoundsOptions {
  /** Rounds of each comparison that must count; a cell alone is one, too. */
  readonly rounds: number;
  readonly comparisons: readonly Comparison[];
  /** A round in which the control drifts further around the cells of a comparison doesn't count for it. */
  readonly driftMax: number;
  /** Rounds in all, with those that are run again for what did not count. */
  readonly attemptsMax: number;
  /** On the clock of `performance`; a round that would end later is not begun, but each block is measured once. */
  readonly endsAtMs: number;
  /** Of each cell in a round: what is compared takes turns, so that how fast the machine is at a moment falls out of the sums. */
  readonly turns: number;
  /** Of a turn. */
  readonly scale: Scale;
  /** Of all the warming up of a cell, done in one turn. */
  readonly warmUp: Scale;
  readonly onProgress: (line: string) => void;
  /** As soon as it is over, so that who breaks off has those before. */
  readonly onRound: (round: Round) => void;
}

/** How far the fastest and the slowest look at the control lie apart around these cells, of the slowest; 0 where none was measured. */
export function driftAround({ looks }: Pick<Round, 'looks'>, cells: Comparison): number {
  const around = cells.flatMap((name) => looks.get(name) ?? []);
  return around.length === 0 ? 0 : Math.max(...around) / Math.min(...around) - 1;
}

/**
 * All blocks in every round, each round beginning with another block and each block with another cell, and every other round
 * backwards, so that no cell always comes after the same one and has what that one left behind; groups stay together. The machine
 * is watched cell by cell: what it changed under is measured again.
 */
export async function runRounds(
  world: World,
  blocks: readonly Block[],
  measureControl: Control,
  options: RoundsOptions,
): Promise<void> {
  const { rounds: wanted, comparisons, driftMax, attemptsMax, endsAtMs } = options;
  const { onProgress, onRound } = options;
  await warmUp(world, blocks, options);
  await measureControl();
  const countedOf = new Map<Comparison, number>();
  const isWanting = (comparison: Comparison) => (countedOf.get(comparison) ?? 0) < wanted;
  const tookMs = new Map<string, number>();
  for (let attempt = 0, goesOn = true; goesOn && attempt < attemptsMax; attempt += 1) {
    goesOn = false;
    for (const block of inOrderOf(attempt, blocks)) {
      const wanting = comparisons.filter(isWanting);
      const cells = block.cells.filter(({ name }) => wanting.some((one) => one.includes(name)));
      const endMs = performance.now() + (tookMs.get(block.name) ?? 0);
      if (cells.length === 0 || (attempt > 0 && endMs > endsAtMs)) continue;
      goesOn = true;
      const started = performance.now();
      const measured = await measureCells(
        world,
        groupsInOrder(attempt, cells),
        measureControl,
        options,
      );
      const round: Round = { block: block.name, ...measured };
      tookMs.set(block.name, performance.now() - started);
      for (const comparison of wanting) {
        const isWhole = comparison.every((name) => round.looks.has(name));
        if (isWhole && driftAround(round, comparison) <= driftMax)
          countedOf.set(comparison, (countedOf.get(comparison) ?? 0) + 1);
      }
      onRound(round);
      const drift = driftAround(round, [...round.looks.keys()]);
      onProgress(`round ${attempt + 1}  ${block.name}  drift ${(drift * 100).toFixed(1)} %`);
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
    const sample = await measured(world, cell, { ...small, factor }, UNWATCHED);
    if (typeof sample === 'string') onProgress(`WRONG: ${sample}`);
  }
}

async function measureCells(
  world: World,
  groups: readonly (readonly Cell[])[],
  measureControl: Control,
  { scale, turns, onProgress }: RoundsOptions,
): Promise<Omit<Round, 'block'>> {
  const looks = new Map<string, readonly [number, number]>();
  const samples = new Map<string, Sample>();
  const faults: string[] = [];
  for (const group of groups) {
    for (const { name, outcome, before, after } of await measureSideBySide(
      world,
      group,
      measureControl,
      { scale, turns },
    )) {
      looks.set(name, [before, after]);
      const wrong = typeof outcome === 'string' ? [outcome] : outcome.faults;
      faults.push(...wrong.map((fault) => `${name}: ${fault}`));
      if (typeof outcome !== 'string' && wrong.length === 0) samples.set(name, outcome);
      const rate =
        typeof outcome === 'string' ? 'not measured' : `${outcome.perSecond.toFixed(1)}/s`;
      const told = wrong.length === 0 ? '' : `  WRONG: ${wrong.join('; ')}`;
      onProgress(
        `  ${name}  ${rate}, control ${inThousands(before)} → ${inThousands(after)} thousand/s${told}`,
      );
    }
  }
  return { looks, samples, faults };
}

function inThousands(perSecond: number): string {
  return (perSecond / 1_000).toFixed(0);
}

/** Two items change places in every other round, and three come in each of their six orders. */
function inOrderOf<Item>(attempt: number, items: readonly Item[]): Item[] {
  const start = items.length === 0 ? 0 : Math.floor(attempt / 2) % items.length;
  const rotated = [...items.slice(start), ...items.slice(0, start)];
  return attempt % 2 === 0 ? rotated : rotated.toReversed();
}

/** The groups in the order of {@link inOrderOf}, and so the cells of each. */
function groupsInOrder(attempt: number, cells: readonly Cell[]): Cell[][] {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const name = groupOf(cell);
    groups.set(name, [...(groups.get(name) ?? []), cell]);
  }
  return inOrderOf(attempt, [...groups.values()]).map((group) => inOrderOf(attempt, group));
}
