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
