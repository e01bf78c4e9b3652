import { transmissionsRequeued } from '../shared/platform/events.ts';
import { findUnrankedRecords, rankNextChanges } from '../shared/store/intake/fair-rank.ts';
import { sweep } from '../shared/store/intake/sweep.ts';
import type { WorkerContext } from './context.ts';

/** The pause between two passes. */
export const SWEEP_INTERVAL_MS = 1_000;
/** The most claimed transmissions that one pass enqueues again. Each needs its own job. */
const CLAIMED_MAX = 500;
/** The most waiting transmissions: one job for each worker is enough, because a worker then claims all that wait. */
const WAITING_MAX = 50;
/** The most changes that one pass looks at for a missing rank. */
const UNRANKED_CHANGES_MAX = 1_000;

/**
 * One bounded pass: enqueues transmissions whose job was lost (D2), and ranks changes that were missed. All liveness rests on it:
 * whatever else fails, it enqueues a row that is due. Rejects when the database or the queue is out of reach.
 */
export async function sweepOnce(context: WorkerContext): Promise<number> {
  const { db, logger, producer } = context;
  const ranked = await rankNextChanges(db, await findUnrankedRecords(db, UNRANKED_CHANGES_MAX));
  const swept = await sweep(db, { claimedMax: CLAIMED_MAX, waitingMax: WAITING_MAX });
  for (const { id, requestId, attempts, isParked } of swept) {
    if (!isParked) continue;
    logger.error(
      { transmissionId: id, requestId, attempts },
      'transmission parked: its workers end without a result',
    );
  }
  const due = [...swept.filter(({ isParked }) => !isParked), ...ranked];
  if (due.length === 0) return 0;
  await producer.enqueue(due);
  transmissionsRequeued(context, { transmissions: due.length });
  return due.length;
}
