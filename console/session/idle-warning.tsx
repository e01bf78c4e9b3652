import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { SESSION_OVER, sessionEvents } from '../api/session-events.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorAlert } from '../ui/error-alert.tsx';
import { useTimeLeft } from './session-clock.ts';
import { useSession } from './session-context.ts';

const WARNING_SECONDS = 120;

/** Warns two minutes before the session ends (WCAG 2.2.1). Without an answer of the user, the end is read from the registry. */
export function IdleWarning() {
  const { session, update, signOut } = useSession();
  const { seconds, isExtensible } = useTimeLeft(session);
  const [error, setError] = useState<unknown>();
  const [dismissedAt, setDismissedAt] = useState<string>();
  const isEnd = seconds === 0;
  useEffect(() => {
    if (isEnd) sessionEvents.dispatchEvent(new Event(SESSION_OVER));
  }, [isEnd]);

  const stay = (): void => {
    call('readSession', {}).then((read) => {
      setError(undefined);
      update(read);
    }, setError);
  };
  const isOpen = !isEnd && seconds <= WARNING_SECONDS && dismissedAt !== session.expiresAt;
  return (
    <Dialog isOpen={isOpen} role="alertdialog" title="Your session is about to end">
      <p>
        You will be signed out in <span className="figure">{clockOf(seconds)}</span>.{' '}
        {isExtensible
          ? 'What you have typed stays in this page.'
          : 'A session lasts at most 8 hours and cannot be extended. Finish what you are doing; what you have typed stays in this page.'}
      </p>
      <ErrorAlert error={error} />
      <div className="buttons">
        {isExtensible ? (
          <button type="button" className="primary" onClick={stay}>
            Stay signed in
          </button>
        ) : (
          <button
            type="button"
            className="primary"
            onClick={() => setDismissedAt(session.expiresAt)}
          >
            Go on
          </button>
        )}
        <button type="button" onClick={() => void signOut().catch(setError)}>
          Sign out
        </button>
      </div>
    </Dialog>
  );
}

function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
