import type { Block } from './cell.ts';
import { JOB_CELLS } from './jobs.ts';
import { LATENCY_CELLS } from './latency.ts';
import { LOOKUP_CELLS } from './lookups.ts';
import { REGISTRATION_CELLS } from './registration-cells.ts';
import { SYNCHRONOUS_CELLS } from './synchronous.ts';

/** Every cell of the benchmark. The two sides of a ratio are in one block. */
export const BLOCKS: readonly Block[] = [
  { name: 'registrations', cells: [...REGISTRATION_CELLS, ...SYNCHRONOUS_CELLS] },
  { name: 'latencies', cells: LATENCY_CELLS },
  { name: 'lookups', cells: LOOKUP_CELLS },
  { name: 'jobs', cells: JOB_CELLS },
];
