import type { Bounds, Sample } from '../measure/sample.ts';
import type { World } from '../world.ts';

/** One thing that is measured. */
export interface Cell {
  /** What and how much, such as `registry-redis/500`. */
  readonly name: string;
  /** For the report: what one item is and what was done. */
  readonly about: string;
  /** What an item is called. */
  readonly unit: string;
  /** What one measurement takes on two cores, for the forecast. */
  readonly seconds: number;
  /**
   * How many times the usual work warms its processes up: where an item is large they have seen too few of them
   * otherwise, and what they still compile is taken for what it costs.
   */
  readonly warmUpTimes?: number;
  /**
   * Those of a block with the same text here are made ready together, measured side by side, and checked when all of them are: the
   * machine drifts more between cells that are apart. So what makes one of them ready must leave the others' work as it is.
   */
  readonly group?: string | undefined;
  /** Its processes are of its own and warmed up within each measurement. */
  readonly warmsUpItself?: boolean;
  /** Once a run, before anything is measured. */
  readonly prepare?: (world: World, scale: Scale) => Promise<void>;
  /** What `prepare` takes, for the forecast. */
  readonly prepareSeconds?: number;
  /** Left out of a quick run unless asked for. */
  readonly isLong?: boolean;
  readonly measure: (world: World, scale: Scale, bounds: Bounds) => Promise<Sample>;
}

/** Cells whose figures are compared: measured one after the other in each round. */
export interface Block {
  readonly name: string;
  readonly cells: readonly Cell[];
}

/** How much work a round is. */
export interface Scale {
  /** Multiplies the items of a cell. */
  readonly factor: number;
  /** Sizes that only show that a cell works. */
  readonly isQuick: boolean;
}

/** At least so many: a turn with fewer is over before it can be measured. */
export function scaled(items: number, { factor }: Scale, atLeast = 4): number {
  return Math.max(atLeast, Math.round(items * factor));
}

/** By its name alone where it has no group. */
export function groupOf({ name, group = name }: Pick<Cell, 'name' | 'group'>): string {
  return group;
}
