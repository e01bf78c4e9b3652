import { availableParallelism } from 'node:os';

/**
 * The number of worker processes for a machine that runs everything: one per two cores. A worker and its database
 * connections use about one core; the API, the rest of the database and the queue need the other.
 */
export function workersOfMachine(cores = availableParallelism()): number {
  return Math.max(1, Math.floor(cores / 2));
}
