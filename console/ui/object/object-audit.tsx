import { Link } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { useRead } from '../../api/queries.ts';
import { inWords } from '../../words.ts';
import { ErrorAlert } from '../error-alert.tsx';
import { Timeline } from '../values/timeline.tsx';
import { changesInWords } from './changes-in-words.ts';

type Entry = DataOf<'listAudit'>['items'][number];

/** What staff did to one object, the latest first. For users with the permission audit:read. */
export function ObjectAudit({ targetId }: { targetId: string }) {
  const { data, error, refetch } = useRead('listAudit', { query: { targetId } });
  if (data === undefined) {
    return error === null ? (
      <p className="loading">Loading the history…</p>
    ) : (
      <ErrorAlert error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.items.length === 0) return <p className="quiet">Nobody has changed this yet.</p>;
  return (
    <>
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      <Timeline events={data.items.map(eventOf)} />
      <p>
        <Link href={`/audit?targetId=${targetId}`}>All entries in the audit log</Link>
      </p>
    </>
  );
}

function eventOf({ sequence, at, action, actor, before, after }: Entry) {
  const changes = changesInWords(before, after);
  const reason = after?.['reason'];
  return {
    key: String(sequence),
    at,
    what: (
      <>
        {inWords(action)} by <bdi>{actor.email ?? 'a command'}</bdi>
        {changes.map((change) => (
          <bdi key={change} className="change">
            {change}
          </bdi>
        ))}
      </>
    ),
    notes: typeof reason === 'string' ? reason : null,
  };
}
