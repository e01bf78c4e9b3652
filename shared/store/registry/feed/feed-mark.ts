import type { FeedSnapshot } from './scan-changes.ts';

/** Translates the horizon of the feed, which is a transaction id, into a time (D37). */
export interface FeedMark {
  /** Notes a snapshot and returns the state of the feed at that time. */
  observe(snapshot: FeedSnapshot): FeedState;
}

export interface FeedState {
  /** Every change that was committed before this time can be read. Null when the process has not seen enough to know it. */
  readonly mark: Date | null;
  /** The age of the mark; without one, the time since the first snapshot. */
  readonly lagSeconds: number;
}

/** Enough for a quarter of an hour at one snapshot a second; an older stall is known less exactly. */
const SNAPSHOTS_MAX = 1_000;

/**
 * A change that was committed before a snapshot was taken has an id below the snapshot's `next`. So when the horizon reaches
 * that id, everything committed before the snapshot can be read.
 */
export function makeFeedMark(): FeedMark {
  let pending: FeedSnapshot[] = [];
  let mark: Date | null = null;
  let first: Date | null = null;
  return {
    observe(snapshot) {
      first ??= snapshot.at;
      pending.push(snapshot);
      const reached = pending.filter(({ next }) => next <= snapshot.oldest);
      pending = pending.filter(({ next }) => next > snapshot.oldest);
      if (pending.length > SNAPSHOTS_MAX)
        pending = pending.filter((_one, index) => index % 2 === 0);
      for (const { at } of reached) if (mark === null || at > mark) mark = at;
      const lagMs = snapshot.at.getTime() - (mark ?? first).getTime();
      return { mark, lagSeconds: Math.max(lagMs, 0) / 1_000 };
    },
  };
}
