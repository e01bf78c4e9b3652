import { availableParallelism } from 'node:os';

/**
 * Worker processes for a machine that runs everything: one for every two cores. A worker and the connection that it waits
 * for fill about one core; API, database and queue need the other.
 */
export function workersOfMachine(cores = availableParallelism()): number {
  return Math.max(1, Math.floor(cores / 2));
}
