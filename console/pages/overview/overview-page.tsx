import { useState } from 'react';
import type { Role } from '../../../shared/contract/staff.ts';
import type { DataOf } from '../../api/contract.ts';
import { useRead } from '../../api/queries.ts';
import { useSession } from '../../session/session-context.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { OpenFlags } from './open-flags.tsx';
import { Operation } from './operation.tsx';
import { Today } from './today.tsx';

const POLL_MS = 30_000;

export interface SectionProps {
  readonly overview: DataOf<'readOverview'>;
  /** How often the numbers are read again; undefined while they are not. */
  readonly pollMs: number | undefined;
}

const SECTIONS = { OpenFlags, Today, Operation } as const;

/** Every role may read all of it. What is the work of a role comes first. */
const ORDER: Record<Role, readonly (keyof typeof SECTIONS)[]> = {
  REVIEWER: ['OpenFlags', 'Today', 'Operation'],
  ADMINISTRATOR: ['Operation', 'Today', 'OpenFlags'],
  AUDITOR: ['Today', 'OpenFlags', 'Operation'],
};

/** The work that waits and what happened today. Every number leads to the list that it counts. */
export function OverviewPage() {
  const [isPaused, pause] = useState(false);
  const { role } = useSession().session.user;
  const pollMs = isPaused ? undefined : POLL_MS;
  const { data, error, dataUpdatedAt, refetch } = useRead(
    'readOverview',
    {},
    pollMs === undefined ? {} : { pollMs },
  );
  return (
    <div className="page">
      <div className="page-heading">
        <PageTitle title="Overview" />
        {data === undefined ? null : (
          <Freshness updatedAt={dataUpdatedAt} error={error} isPaused={isPaused} onPause={pause} />
        )}
      </div>
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null ? (
        <p className="loading">Loading the overview…</p>
      ) : null}
      {data === undefined
        ? null
        : ORDER[role].map((name) => {
            const Section = SECTIONS[name];
            return <Section key={name} overview={data} pollMs={pollMs} />;
          })}
    </div>
  );
}
