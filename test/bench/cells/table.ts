import type { Cell } from './cell.ts';
import { JOB_CELLS } from './jobs.ts';
import { LATENCY_CELLS } from './latency.ts';
import { LOOKUP_CELLS } from './lookups.ts';
import { REGISTRATION_CELLS } from './registration-cells.ts';
import { SYNCHRONOUS_CELLS } from './synchronous.ts';

/** Every cell of the benchmark. */
export const CELLS: readonly Cell[] = [
  ...REGISTRATION_CELLS,
  ...SYNCHRONOUS_CELLS,
  ...LATENCY_CELLS,
  ...LOOKUP_CELLS,
  ...JOB_CELLS,
];
