import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { type ApiError, isApiError } from '../api/errors.ts';
import { SESSION_OVER, sessionEvents } from '../api/session-events.ts';
import { ErrorAlert } from '../ui/error-alert.tsx';
import { useDrafts } from './drafts.tsx';
import { FreshCodeProvider } from './fresh-code.tsx';
import { IdleWarning } from './idle-warning.tsx';
import { InitialPassword } from './initial-password.tsx';
import { type Session, SessionContext } from './session-context.ts';
import { SignIn, type SignInStep } from './sign-in/sign-in.tsx';
import { useTabs } from './tabs.ts';

type State =
  | { readonly phase: 'reading' }
  | { readonly phase: 'failed'; readonly error: unknown }
  | { readonly phase: 'signed-out'; readonly isOver: boolean; readonly step: SignInStep }
  | { readonly phase: 'signed-in'; readonly session: Session };

/** Shows the sign-in in place of the pages below it until somebody is signed in. The URL stays, and so does what was typed. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>({ phase: 'reading' });
  const forget = useForget();
  const lastEmail = useRef<string>(undefined);

  const show = useCallback(
    (session: Session): void => {
      // What one user typed is not shown to another.
      if (lastEmail.current !== session.user.email) forget();
      lastEmail.current = session.user.email;
      setState({ phase: 'signed-in', session });
    },
    [forget],
  );
  const leave = useCallback((): void => {
    forget();
    lastEmail.current = undefined;
    setState({ phase: 'signed-out', isOver: false, step: 'password' });
  }, [forget]);
  const read = useCallback(async (): Promise<void> => {
    try {
      show(await call('readSession', {}));
    } catch (error) {
      if (isApiError(error) && error.status === 401)
        setState({ phase: 'signed-out', isOver: false, step: stepOf(error) });
      else setState({ phase: 'failed', error });
    }
  }, [show]);
  const announce = useTabs((message) => {
    if (message === 'signed-out') leave();
    if (message === 'signed-in') void read();
  });

  useEffect(() => void read(), [read]);
  useSessionOver(() => {
    // A late answer may be about an earlier session of this browser.
    call('readSession', {}, { isBackground: true }).catch((error: unknown) => {
      if (isApiError(error) && error.status === 401)
        setState({ phase: 'signed-out', isOver: true, step: stepOf(error) });
    });
  });

  switch (state.phase) {
    case 'reading':
      return null;
    case 'failed':
      return (
        <main className="page-narrow">
          <ErrorAlert error={state.error} onRetry={() => void read()} />
        </main>
      );
    case 'signed-out':
      return (
        <SignIn
          isOver={state.isOver}
          firstStep={state.step}
          onSignedIn={(session) => {
            show(session);
            announce('signed-in');
          }}
        />
      );
    case 'signed-in': {
      const { session } = state;
      const signOut = async (): Promise<void> => {
        await call('logout', {});
        leave();
        announce('signed-out');
      };
      const context = { session, update: show, signOut };
      return (
        // Of another user's page nothing stays, not even the text in a field.
        <SessionContext key={session.user.id} value={context}>
          <IdleWarning key={session.expiresAt} />
          {session.passwordChangeDue ? (
            <InitialPassword />
          ) : (
            <FreshCodeProvider>{children}</FreshCodeProvider>
          )}
        </SessionContext>
      );
    }
    default:
      return state satisfies never;
  }
}

/** Where a sign-in goes on after a reload. */
function stepOf({ code, data }: ApiError): SignInStep {
  if (code !== 'MFA_REQUIRED') return 'password';
  return (data as { next: string }).next === 'MFA_REQUIRED' ? 'code' : 'enrollment';
}

/** Forgets what the registry answered and what was typed. */
function useForget(): () => void {
  const client = useQueryClient();
  const drafts = useDrafts();
  return useCallback(() => {
    client.clear();
    drafts.clear();
  }, [client, drafts]);
}

function useSessionOver(onOver: () => void): void {
  const listener = useRef(onOver);
  useEffect(() => {
    listener.current = onOver;
  });
  useEffect(() => {
    const hear = (): void => listener.current();
    sessionEvents.addEventListener(SESSION_OVER, hear);
    return () => sessionEvents.removeEventListener(SESSION_OVER, hear);
  }, []);
}
