export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Throws without values. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: percentile(values, 50), min: Math.min(...values), max: Math.max(...values) };
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0);
}

/** NaN without values. */
export function mean(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

/** Between two neighbours by linear interpolation. Throws without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const at = ((sorted.length - 1) * percent) / 100;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  if (low === undefined || high === undefined) throw new Error('no values to rank');
  return low + (high - low) * (at - Math.floor(at));
}

/** How many times as much the others are as the first ones, each beside its own: what both of a pair share falls out. */
export interface PairedRatio {
  /** Geometric mean of the ratios. */
  readonly ratio: number;
  /** Standard error of its logarithm, and so about a part of it; NaN for a single pair. */
  readonly error: number;
}

/** Throws when they are not of one length or not positive. */
export function pairedRatio(firsts: readonly number[], others: readonly number[]): PairedRatio {
  if (firsts.length !== others.length || firsts.length === 0)
    throw new Error('values have no pair');
  const logs = firsts.map((first, index) => Math.log((others[index] ?? 0) / first));
  if (!logs.every(Number.isFinite)) throw new Error('only positive values have a ratio');
  const middle = mean(logs);
  const variance = sumOf(logs.map((log) => (log - middle) ** 2)) / (logs.length - 1);
  return { ratio: Math.exp(middle), error: Math.sqrt(variance / logs.length) };
}
