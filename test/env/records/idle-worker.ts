import type { ApiContext } from '../../../api/context.ts';
import type { WorkerContext } from '../../../worker/context.ts';
import { makeStats } from '../../../worker/stats.ts';

/** The context of a worker that fetches no jobs and announces nothing. Tests call its functions themselves. */
export function makeIdleWorker(context: ApiContext): WorkerContext {
  return {
    ...context,
    completions: { announce: async () => undefined, close: async () => undefined },
    stats: makeStats(),
    isStopping: () => false,
  };
}

/** For a test that claims everything that waits. */
export const CLAIM_OPTIONS = { leaseSeconds: 60, transmissionsMax: 50, vehiclesMax: 500 };

/** For `registerBatch` in a test in which no transmission may fail. */
export const noFailure = () => Promise.reject(new Error('a transmission failed'));
