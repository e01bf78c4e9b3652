import type { RecordedSample } from '../../../shared/store/history/record-queue.ts';
import type { Burst } from './plan-bursts.ts';

const MINUTE_MS = 60_000;
const WORKERS = 2;
/** The usual lag of the change feed, which grows while the queue has a backlog. */
const FEED_LAG_SECONDS = 0.2;
const FEED_LAG_OF_BACKLOG_SECONDS = 1.6;
/** A backlog that the charts show. */
const BACKLOG = 20;

/** One sample for each minute from `from` to `to`, as a worker would have recorded it while the bursts arrived. */
export function queueSamples(bursts: readonly Burst[], from: Date, to: Date): RecordedSample[] {
  const samples: RecordedSample[] = [];
  const toMs = to.getTime();
  let first = 0;
  for (let ms = from.getTime(); ms < toMs; ms += MINUTE_MS) {
    while (isOver(bursts[first], ms)) first += 1;
    samples.push(sampleAt(bursts.slice(first, firstAfter(bursts, first, ms)), ms));
  }
  return samples;
}

/** Whether the burst was finished before the minute that ends at `ms`. */
function isOver(burst: Burst | undefined, ms: number): boolean {
  return burst !== undefined && burst.finishedAt.getTime() <= ms - MINUTE_MS;
}

function firstAfter(bursts: readonly Burst[], first: number, ms: number): number {
  let index = first;
  while ((bursts[index]?.receivedAt.getTime() ?? Number.POSITIVE_INFINITY) <= ms) index += 1;
  return index;
}

/** `arrived` are the bursts that have arrived and were not finished a minute ago. */
function sampleAt(arrived: readonly Burst[], ms: number): RecordedSample {
  const waiting = arrived.filter(({ finishedAt }) => finishedAt.getTime() > ms);
  const settled = arrived.filter(({ finishedAt }) => finishedAt.getTime() <= ms);
  const depth = transmissionsOf(waiting);
  const oldestMs = waiting[0]?.receivedAt.getTime() ?? ms;
  const isBacklog = depth >= BACKLOG;
  return {
    at: new Date(ms),
    backlog: {
      waiting: depth,
      oldestSeconds: (ms - oldestMs) / 1_000,
      parked: 0,
      settledPerSecond: transmissionsOf(settled) / 60,
      workers: isBacklog ? WORKERS - 1 : WORKERS,
    },
    feedLagSeconds: isBacklog ? FEED_LAG_OF_BACKLOG_SECONDS : FEED_LAG_SECONDS,
  };
}

function transmissionsOf(bursts: readonly Burst[]): number {
  return bursts.reduce((sum, { transmissions }) => sum + transmissions, 0);
}
