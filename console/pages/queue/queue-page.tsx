import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { QueueHistory } from './history/queue-history.tsx';
import { QueueFigures } from './queue-figures.tsx';
import { Workers } from './workers.tsx';

const POLL_MS = 5_000;

/** The state of the queue now, and its history: for whoever is on call. */
export function QueuePage() {
  const [isPaused, pause] = useState(false);
  const polling = isPaused ? {} : { pollMs: POLL_MS };
  const { data, error, dataUpdatedAt, refetch } = useRead('readQueue', {}, polling);
  return (
    <div className="page">
      <div className="page-heading">
        <PageTitle title="Queue" />
        <Freshness updatedAt={dataUpdatedAt} error={error} isPaused={isPaused} onPause={pause} />
      </div>
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null ? <p className="loading">Loading the queue…</p> : null}
      {data === undefined ? null : (
        <>
          <QueueFigures queue={data} isPaused={isPaused} />
          <Workers workers={data.workers} />
        </>
      )}
      <QueueHistory isPaused={isPaused} />
    </div>
  );
}
