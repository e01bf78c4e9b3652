import type { Cell } from './cell.ts';
import { REGISTRATION_CELLS } from './registration-cells.ts';

/** Every cell of the benchmark. */
export const CELLS: readonly Cell[] = [...REGISTRATION_CELLS];
