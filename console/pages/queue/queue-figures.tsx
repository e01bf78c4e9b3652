import { useState } from 'react';
import type { DataOf } from '../../api/contract.ts';
import { useRead } from '../../api/queries.ts';
import { writeSeconds } from '../../ui/values/durations.ts';
import { Figures, writeCount } from '../../ui/values/figures.tsx';
import { When } from '../../ui/values/when.tsx';
import { countOf } from '../../words.ts';

interface QueueFiguresProps {
  readonly queue: DataOf<'readQueue'>;
  readonly isPaused: boolean;
}

export function QueueFigures({ queue, isPaused }: QueueFiguresProps) {
  const sample = useLatestSample(isPaused);
  const { jobs, lastTakenSeconds } = queue;
  return (
    <Figures
      figures={[
        {
          label: 'In the queue',
          value: writeCount(queue.depth),
          hint: jobs === null ? 'Its jobs cannot be counted' : countOf(jobs, 'job'),
        },
        { label: 'Age of the oldest', value: writeSeconds(queue.oldestSeconds) },
        {
          label: 'Last taken by a worker',
          value: lastTakenSeconds === null ? null : `${writeSeconds(lastTakenSeconds)} ago`,
        },
        { label: 'Received', value: writeRate(queue.receivedPerSecond) },
        { label: 'Completed', value: writeRate(queue.settledPerSecond) },
        {
          label: 'Lag of the change feed',
          value: sample === undefined ? null : writeSeconds(sample.feedLagSecondsMax),
          hint:
            sample === undefined ? (
              'No worker reported it'
            ) : (
              <>
                Sampled <When at={sample.at} />
              </>
            ),
        },
        { label: 'Parked', value: writeCount(queue.parked), to: '/queue/parked' },
        { label: 'Imports in progress', value: writeCount(queue.imports), to: '/reference' },
      ]}
    />
  );
}

const SAMPLE_POLL_MS = 30_000;
/** A sample that is older when the page opens says nothing about now. */
const SAMPLE_AGE_MS_MAX = 10 * 60_000;

/** Workers sample the queue once a minute. The request stays the same while the page is open, so that it does not count as activity. */
function useLatestSample(isPaused: boolean) {
  const [from] = useState(() => new Date(Date.now() - SAMPLE_AGE_MS_MAX).toISOString());
  const { data } = useRead(
    'readQueueHistory',
    { query: { from, step: 'minute' } },
    isPaused ? {} : { pollMs: SAMPLE_POLL_MS },
  );
  return data?.points.at(-1);
}

function writeRate(perSecond: number): string {
  return `${perSecond.toLocaleString('en', { maximumFractionDigits: 1 })} / s`;
}
