import { readSnapshot } from '../../../shared/store/registry/feed/scan-changes.ts';
import type { ApiContext } from '../../context.ts';

export const FEED_LAG_INTERVAL_MS = 1_000;

/** Measures how far the horizon of the feed is behind. An open transaction of the database cluster holds it back (D37). */
export async function measureFeedLag({
  db,
  feedMark,
  metrics,
}: Pick<ApiContext, 'db' | 'feedMark' | 'metrics'>): Promise<void> {
  const { lagSeconds } = feedMark.observe(await readSnapshot(db));
  metrics.feedLagSeconds.set(lagSeconds);
}
