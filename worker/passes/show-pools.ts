import { showNextPortion } from '../../shared/store/registry/feed/show-pool.ts';
import type { WorkerContext } from '../context.ts';

/** The pause between two passes. */
export const SHOW_POOLS_INTERVAL_MS = 1_000;
/** The most records that one transaction adds. It holds back every change feed while it runs. */
const PORTION_RECORDS_MAX = 5_000;
/** The most portions of one pass. */
const PORTIONS_MAX = 10;

/**
 * One bounded pass: adds records to the change feeds of organizations that see them since the lead insurer or management company of
 * their pool has changed (D87). Several workers may run it at once.
 */
export async function showPoolsOnce({
  db,
  logger,
  isStopping,
}: Pick<WorkerContext, 'db' | 'logger' | 'isStopping'>): Promise<void> {
  // Most passes have nothing to do, and need no transaction to find that.
  if ((await db.poolToShow.count()) === 0) return;
  for (let portions = 0; portions < PORTIONS_MAX && !isStopping(); portions += 1) {
    const shown = await showNextPortion(db, PORTION_RECORDS_MAX);
    if (shown === undefined) return;
    const { isDone, ...ids } = shown;
    if (isDone) logger.info(ids, 'an organization has all records of a pool in its change feed');
  }
}
