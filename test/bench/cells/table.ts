import type { Block } from './cell.ts';
import { DRAIN_CELLS } from './drain.ts';
import { JOB_CELLS } from './jobs.ts';
import { LATENCY_CELLS } from './latency.ts';
import { LOOKUP_CELLS } from './lookups.ts';
import { OVERLOAD_CELLS } from './overload.ts';
import { POOL_DUMP_CELLS } from './pool-dump.ts';
import { REGISTRATION_CELLS } from './registration-cells.ts';
import { SIZE_CELLS } from './sizes.ts';
import { SYNCHRONOUS_CELLS } from './synchronous.ts';

/** Every cell of the benchmark. The two sides of a ratio are in one block. */
export const BLOCKS: readonly Block[] = [
  { name: 'registrations', cells: [...REGISTRATION_CELLS, ...SYNCHRONOUS_CELLS] },
  { name: 'latencies', cells: LATENCY_CELLS },
  { name: 'lookups', cells: LOOKUP_CELLS },
  { name: 'jobs', cells: JOB_CELLS },
  { name: 'drains', cells: DRAIN_CELLS },
  { name: 'overload', cells: OVERLOAD_CELLS },
  { name: 'pool dump', cells: POOL_DUMP_CELLS },
  { name: 'sizes', cells: SIZE_CELLS },
];
