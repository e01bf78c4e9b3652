import { SIZES } from '../load/certificates.ts';
import { SHAPES } from '../processes.ts';
import type { Block, Cell } from './cell.ts';
import { DRAIN_CELLS } from './drain.ts';
import { JOB_CELLS } from './jobs.ts';
import { LATENCY_CELLS } from './latency.ts';
import { HELLO_CELL, LOOKUP_CELLS } from './lookups.ts';
import { OVERLOAD_CELLS } from './overload.ts';
import { POOL_DUMP_CELLS } from './pool-dump.ts';
import { REGISTRATION_CELLS } from './registration-cells.ts';
import { SHARING_CELLS } from './sharing.ts';
import { SIZE_CELLS } from './sizes.ts';
import { SYNCHRONOUS_CELLS } from './synchronous.ts';

/**
 * Every cell of the benchmark. The two sides of a ratio are in one block, and little else is: the shorter a block is, the
 * less the machine drifts meanwhile, and the more of its rounds count.
 */
export const BLOCKS: readonly Block[] = [
  ...bySize('registrations', [...REGISTRATION_CELLS, ...SYNCHRONOUS_CELLS]),
  ...bySize('latencies', LATENCY_CELLS),
  ...byShape('lookups', LOOKUP_CELLS),
  ...byShape('sharing', SHARING_CELLS),
  ...byShape('drains', DRAIN_CELLS),
  ...byShape('overload', OVERLOAD_CELLS),
  ...byShape('pool dump', POOL_DUMP_CELLS),
  ...byShape('sizes', SIZE_CELLS),
  { name: 'without a ratio', cells: [HELLO_CELL, ...JOB_CELLS] },
];

function bySize(name: string, cells: readonly Cell[]): Block[] {
  return SIZES.map((size) => ({
    name: `${name} of ${size}`,
    cells: cells.filter((cell) => cell.name.endsWith(`/${size}`)),
  }));
}

function byShape(name: string, cells: readonly Cell[]): Block[] {
  return SHAPES.map((shape) => ({
    name: `${name}, ${shape}`,
    cells: cells.filter((cell) => cell.name.includes(`-${shape}`)),
  }));
}
