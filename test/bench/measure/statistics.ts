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

/** Between two neighbours by linear interpolation. Throws without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const at = ((sorted.length - 1) * percent) / 100;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  if (low === undefined || high === undefined) throw new Error('no values to rank');
  return low + (high - low) * (at - Math.floor(at));
}
