import type { Sample } from '../measure/sample.ts';
import type { World } from '../world.ts';

/** One thing that is measured. */
export interface Cell {
  /** What and how much, such as `registry-redis/500`. */
  readonly name: string;
  /** For the report: what one item is and what was done. */
  readonly about: string;
  /** What an item is called. */
  readonly unit: string;
  readonly measure: (world: World, scale: Scale) => Promise<Sample>;
}

/** How much work a round is. */
export interface Scale {
  /** Multiplies the items of a cell. */
  readonly factor: number;
}

export function scaled(items: number, { factor }: Scale): number {
  return Math.max(4, Math.round(items * factor));
}
