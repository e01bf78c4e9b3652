import { readSnapshot } from '../../../shared/store/registry/feed/scan-changes.ts';
import type { ApiContext } from '../../context.ts';

export const MEASURE_FEED_INTERVAL_MS = 1_000;

/**
 * Sets the metrics of the change feed: how far its horizon is behind, because an open transaction of the database cluster holds it
 * back (D37), and how many changed pools workers still add to feeds (D87).
 */
export async function measureFeed({
  db,
  feedMark,
  metrics,
}: Pick<ApiContext, 'db' | 'feedMark' | 'metrics'>): Promise<void> {
  const { lagSeconds } = feedMark.observe(await readSnapshot(db));
  metrics.feedLagSeconds.set(lagSeconds);
  metrics.poolsToShow.set(await db.poolToShow.count());
}
