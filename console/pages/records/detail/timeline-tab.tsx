import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { DataOf } from '../../../api/contract.ts';
import { Timeline } from '../../../ui/values/timeline.tsx';
import { hasOlderEvents, makeRecordEvents, type RecordEvent } from './record-events.ts';

/** More at once would make the page slow. */
const EVENTS_SHOWN = 100;

export function TimelineTab({ record }: { record: DataOf<'readRecord'> }) {
  const [shown, setShown] = useState(EVENTS_SHOWN);
  const events = useMemo(() => makeRecordEvents(record), [record]);
  return (
    <>
      <p className="quiet">The newest first.</p>
      <Timeline
        events={events.slice(0, shown).map(({ key, at, notes = null, ...event }) => ({
          key,
          at,
          notes,
          what: <What {...event} />,
        }))}
      />
      {events.length <= shown ? null : (
        <button type="button" onClick={() => setShown(shown + EVENTS_SHOWN)}>
          Show {Math.min(EVENTS_SHOWN, events.length - shown)} more
        </button>
      )}
      {hasOlderEvents(record) ? <p className="quiet">Older events are on the other tabs.</p> : null}
    </>
  );
}

function What({ what, by, more }: Pick<RecordEvent, 'what' | 'by' | 'more'>) {
  return (
    <>
      {what}
      {by === undefined ? null : (
        <>
          {' '}
          by <bdi>{by}</bdi>
        </>
      )}{' '}
      <Link href={more.path}>{more.text}</Link>
    </>
  );
}
