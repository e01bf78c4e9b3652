import { transmissionsRequeued } from '../shared/platform/events.ts';
import { sweep } from '../shared/store/intake/processing.ts';
import type { WorkerContext } from './context.ts';

/** Between two passes. */
export const SWEEP_INTERVAL_MS = 1_000;
/** Transmissions of a status that one pass sends again at most. */
const SWEEP_TRANSMISSIONS_MAX = 500;

/**
 * One bounded pass: wakes the workers for transmissions whose wake-up was lost (D2). The one owner of liveness:
 * whatever else fails, a row that is due is sent again. Rejects when database or queue are out of reach.
 */
export async function sweepOnce(context: WorkerContext): Promise<number> {
  const swept = await sweep(context.db, {
    takenMax: SWEEP_TRANSMISSIONS_MAX,
    // While this process goes on, it looks for all that wait, wake-up or not.
    waitingMax: context.tally.isGoingOn() ? 0 : SWEEP_TRANSMISSIONS_MAX,
  });
  for (const { id, requestId, attempts } of swept.filter(({ parked }) => parked)) {
    context.logger.error(
      { transmissionId: id, requestId, attempts },
      'transmission parked: its workers end without a result',
    );
  }
  const due = swept.filter(({ parked }) => !parked);
  if (due.length === 0) return 0;
  await context.producer.enqueue(
    due.map(({ id, requestId, attempts, urgency }) => ({
      id,
      requestId,
      takings: attempts,
      urgency,
    })),
  );
  transmissionsRequeued(context, { transmissions: due.length });
  return due.length;
}
