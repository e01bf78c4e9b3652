import type { Cell, Scale } from './cells/cell.ts';
import type { Bounds, Sample } from './measure/sample.ts';
import { mean } from './measure/statistics.ts';
import type { World } from './world.ts';

/** What never changes by itself, per second: only the machine makes it faster or slower. */
export type Control = () => Promise<number>;

export interface Looked {
  readonly name: string;
  /** Why it could not be measured, if it could not. */
  readonly outcome: Sample | string;
  readonly before: number;
  readonly after: number;
}

/**
 * In each turn all are made ready first, then work one after the other with a look at the control between, every other turn backwards. None
 * checks what it left before all have had their last turn: so the looks are as close together as the work is short.
 */
export async function measureSideBySide(
  world: World,
  cells: readonly Cell[],
  look: Control,
  { scale, turns }: { readonly scale: Scale; readonly turns: number },
): Promise<Looked[]> {
  const parties = cells.map((cell) => enter(world, cell, scale, turns));
  const looks = parties.map((party) => ({ party, before: [] as number[], after: [] as number[] }));
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      for (const party of parties) await party.makeReady();
      let control = await look();
      for (const { party, before, after } of turn % 2 === 0 ? looks : looks.toReversed()) {
        before.push(control);
        await party.work();
        control = await look();
        after.push(control);
      }
    }
  } finally {
    for (const party of parties) party.dismiss();
  }
  return Promise.all(
    looks.map(async ({ party, before, after }) => ({
      name: party.name,
      outcome: await party.outcome(),
      before: mean(before),
      after: mean(after),
    })),
  );
}

/** A cell that has its turns when it is told to. */
interface Party {
  readonly name: string;
  /** Resolves when it waits for its next turn, or could not be made ready. */
  makeReady(): Promise<void>;
  /** Resolves when its turn is over, or it could not do its work. */
  work(): Promise<void>;
  /** It need not wait for anything any more. */
  dismiss(): void;
  outcome(): Promise<Sample | string>;
}

function enter(world: World, cell: Cell, scale: Scale, turns: number): Party {
  let turn = makeTurn();
  const bounds: Bounds = {
    turns,
    begin: () => {
      turn.isReady.give();
      return turn.isDue.given;
    },
    end: () => {
      turn.isOver.give();
      return turn.isFollowed.given;
    },
  };
  let outcome: Promise<Sample | string> | undefined;
  const begun = () => (outcome ??= measured(world, cell, scale, bounds));
  return {
    name: cell.name,
    makeReady: async () => {
      const before = turn;
      turn = makeTurn();
      before.isFollowed.give();
      await Promise.race([turn.isReady.given, begun()]);
    },
    work: async () => {
      turn.isDue.give();
      await Promise.race([turn.isOver.given, begun()]);
    },
    dismiss: () => {
      turn.isDue.give();
      turn.isFollowed.give();
    },
    outcome: begun,
  };
}

interface Turn {
  readonly isReady: Signal;
  readonly isDue: Signal;
  readonly isOver: Signal;
  /** By another turn, or the end of all. */
  readonly isFollowed: Signal;
}

function makeTurn(): Turn {
  return {
    isReady: makeSignal(),
    isDue: makeSignal(),
    isOver: makeSignal(),
    isFollowed: makeSignal(),
  };
}

interface Signal {
  readonly given: Promise<void>;
  give(): void;
}

function makeSignal(): Signal {
  let give: Signal['give'] | undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give?.() };
}

/** Why it could not be measured, if it could not: the others can. */
export async function measured(
  world: World,
  cell: Cell,
  scale: Scale,
  bounds: Bounds,
): Promise<Sample | string> {
  try {
    const sample = await cell.measure(world, scale, bounds);
    return sample.items > 0 ? sample : 'nothing was done while it was measured';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
