import { countNextHour, pruneHistory } from '../../shared/store/history/count-hours.ts';
import { isSampled, recordQueueSamples } from '../../shared/store/history/record-queue.ts';
import { readBacklog } from '../../shared/store/intake/backlog.ts';
import { makeFeedMark } from '../../shared/store/registry/feed/feed-mark.ts';
import { readSnapshot } from '../../shared/store/registry/feed/scan-changes.ts';
import type { WorkerContext } from '../context.ts';

/** The lag of the change feed is known to this precision. */
export const HISTORY_INTERVAL_MS = 5_000;
const MINUTE_MS = 60_000;

/**
 * Makes the pass that keeps the history for the charts of the console (D83). Once a minute one of the workers samples the queue,
 * and each counts at most one hour of transmissions and deletes what is too old.
 */
export function makeHistoryPass({ db, clock }: Pick<WorkerContext, 'db' | 'clock'>) {
  const feedMark = makeFeedMark();
  let lastMinute = -1;
  return async (): Promise<void> => {
    const { lagSeconds } = feedMark.observe(await readSnapshot(db));
    const now = clock.now();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (minute === lastMinute) return;
    if (!(await isSampled(db, now))) {
      const backlog = await readBacklog(db);
      await recordQueueSamples(db, [{ at: now, backlog, feedLagSeconds: lagSeconds }]);
    }
    await countNextHour(db, now);
    await pruneHistory(db, now);
    lastMinute = minute;
  };
}
