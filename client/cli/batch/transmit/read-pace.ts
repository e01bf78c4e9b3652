// Reading stays below 2 % of sending (D42), because the registry has to answer the reads as well.

/** While sending, one page of the feed is read for so many transmissions; a page with rejections costs a lookup more. */
const SENDS_PER_READ = 250;
/** For a slow sender, whose outcomes are wanted sooner. */
const SENDS_PER_READ_MIN = 100;
const READ_INTERVAL_MS = 60_000;

/** After the last transmission is sent, the feed is read this often … */
const PAUSE_MS = 1_000;
/** … until the reads reach this share of what was sent, or this number in a small batch. */
const READS_SHARE_MAX = 0.01;
const READS_MIN = 60;
const LONG_PAUSE_MS = 30_000;

/** The requests of one run of a batch. */
export interface Pace {
  sent: number;
  reads: number;
}

/** Whether the feed is read again while the batch is being sent. Both values count since the last page. */
export function isReadDue(sent: number, elapsedMs: number): boolean {
  return sent >= SENDS_PER_READ || (sent >= SENDS_PER_READ_MIN && elapsedMs >= READ_INTERVAL_MS);
}

/** How long to wait before the feed is read again when everything is sent. */
export function pauseMsOf({ sent, reads }: Pace): number {
  return reads < Math.max(READS_MIN, sent * READS_SHARE_MAX) ? PAUSE_MS : LONG_PAUSE_MS;
}
