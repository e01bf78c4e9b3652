import type { ReactNode } from 'react';
import { When } from './when.tsx';

export interface TimelineEvent {
  readonly key: string;
  readonly at: string;
  readonly what: ReactNode;
  /** What somebody wrote about it. */
  readonly notes?: string | null;
}

/** What happened, in the given order. */
export function Timeline({ events }: { events: readonly TimelineEvent[] }) {
  return (
    <ol className="timeline">
      {events.map(({ key, at, what, notes = null }) => (
        <li key={key}>
          <p>
            {what}{' '}
            <span className="quiet">
              <When at={at} />
            </span>
          </p>
          {notes === null ? null : <blockquote dir="auto">{notes}</blockquote>}
        </li>
      ))}
    </ol>
  );
}
