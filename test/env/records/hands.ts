import type { ApiContext } from '../../../api/context.ts';
import { makeBatchesInHand } from '../../../worker/batches-in-hand.ts';
import type { WorkerContext } from '../../../worker/context.ts';
import { makeTally } from '../../../worker/tally.ts';

/** What a worker has, without one that runs: it takes nothing by itself, and tells nobody what it settled. */
export function makeHands(context: ApiContext): WorkerContext {
  return {
    ...context,
    completions: { announce: async () => undefined, close: async () => undefined },
    tally: makeTally(),
    batches: makeBatchesInHand(1),
    isStopping: () => false,
  };
}
