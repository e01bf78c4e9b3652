import { useState } from 'react';
import { useChange } from '../../../api/queries.ts';
import { useMay, useSession } from '../../../session/session-context.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { useFlagErrors } from '../decision/use-flag-errors.ts';
import type { Flag } from '../flag-query.ts';
import { GiveForm } from './give-form.tsx';

/** Who works on an open flag. It binds nobody, and insurers do not see it. */
export function Assignment({ flag, onChanged }: { flag: Flag; onChanged: (flag: Flag) => void }) {
  const { session } = useSession();
  const mayReview = useMay('flags:review');
  const [isGiving, setIsGiving] = useState(false);
  const { mutate, error } = useChange('assignFlag', onChanged);
  const onError = useFlagErrors(flag.id, onChanged);
  const { assignee } = flag;
  const isMine = assignee?.id === session.user.id;
  const assign = (assigneeId: string | null): void => {
    setIsGiving(false);
    mutate(
      {
        params: { flagId: flag.id },
        body: { assigneeId, expectedAssigneeId: assignee?.id ?? null },
      },
      { onError },
    );
  };
  return (
    <div className="assignment">
      <p className="quiet">
        {assignee === null ? 'Nobody works on it.' : null}
        {assignee !== null && isMine ? 'You work on it.' : null}
        {assignee !== null && !isMine ? <bdi>{assignee.email} works on it.</bdi> : null}
      </p>
      {mayReview ? (
        <>
          <button
            type="button"
            className="link"
            onClick={() => assign(isMine ? null : session.user.id)}
          >
            {isMine ? 'Leave it to others' : 'Take it'}
          </button>
          <button
            type="button"
            className="link"
            aria-expanded={isGiving}
            onClick={() => setIsGiving(!isGiving)}
          >
            Give it to somebody
          </button>
        </>
      ) : null}
      {isGiving ? <GiveForm ownId={session.user.id} onGive={assign} /> : null}
      <ErrorAlert error={error} />
    </div>
  );
}
