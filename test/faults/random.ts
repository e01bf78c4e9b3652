/** A random generator that repeats its values with the same seed. */
export interface Random {
  /** A whole number from 0 to `count` - 1. */
  below(count: number): number;
  /** True with a probability of `share` percent. */
  percent(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** mulberry32: short, evenly distributed, and the same on every machine. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    percent: (share) => below(100) < share,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}
