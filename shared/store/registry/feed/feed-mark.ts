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
/** Two snapshots may be noted in another order than they were taken, when an answer of the database comes late. */
const LATE_MS_MAX = 5_000;

/**
 * A change that was committed before a snapshot was taken has an id below the snapshot's `next`. So when the horizon reaches
 * that id, everything committed before the snapshot can be read. The mark belongs to the snapshot that is given: a later one that
 * was noted before says nothing about what this one shows.
 */
export function makeFeedMark(): FeedMark {
  let snapshots: FeedSnapshot[] = [];
  let first: Date | null = null;
  return {
    observe(snapshot) {
      first ??= snapshot.at;
      snapshots.push(snapshot);
      let mark: Date | null = null;
      for (const { next, at } of snapshots)
        if (next <= snapshot.oldest && (mark === null || at > mark)) mark = at;
      const lateSince = (mark ?? first).getTime() - LATE_MS_MAX;
      snapshots = snapshots.filter(
        ({ next, at }) => next > snapshot.oldest || at.getTime() >= lateSince,
      );
      if (snapshots.length > SNAPSHOTS_MAX)
        snapshots = snapshots.filter(({ at }, index) => index % 2 === 0 || at === mark);
      const lagMs = snapshot.at.getTime() - (mark ?? first).getTime();
      return { mark, lagSeconds: Math.max(lagMs, 0) / 1_000 };
    },
  };
}
