import { useQueryClient } from '@tanstack/react-query';
import type { DataOf } from '../../api/contract.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { When } from '../../ui/values/when.tsx';

type OwnSession = DataOf<'listOwnSessions'>['items'][number];

export function OwnSessions() {
  const { data, error, refetch } = useRead('listOwnSessions', {});
  const client = useQueryClient();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ['listOwnSessions'] });
  const ending = useChange('endOwnSession', readAgain);
  const endingOthers = useChange('endOtherSessions', readAgain);
  if (data === undefined) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  const hasOthers = data.items.some(({ current }) => !current);
  return (
    <>
      <ErrorAlert error={ending.error ?? endingOthers.error} />
      <ul className="rows">
        {data.items.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            onEnd={() => ending.mutate({ params: { sessionId: session.id } })}
          />
        ))}
      </ul>
      {hasOthers ? (
        <button type="button" onClick={() => endingOthers.mutate({})}>
          Sign out everywhere else
        </button>
      ) : (
        <p className="hint">You are signed in only here.</p>
      )}
    </>
  );
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { address, createdAt, lastSeenAt, current } = session;
  return (
    <li className="row">
      <div>
        <p>
          <code>{address}</code> {current ? <span className="quiet">this session</span> : null}
        </p>
        <p className="quiet">
          Signed in <When at={createdAt} />, last used <When at={lastSeenAt} />
        </p>
      </div>
      {current ? null : (
        <button type="button" onClick={onEnd}>
          Sign out <span className="hidden">the session from {address}</span>
        </button>
      )}
    </li>
  );
}
