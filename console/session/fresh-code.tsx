import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { call } from '../api/call.ts';
import { Cancelled, isApiError } from '../api/errors.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorAlert } from '../ui/error-alert.tsx';
import { SubmitButton } from '../ui/form/submit-button.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';
import { useSession } from './session-context.ts';
import { CodeField } from './sign-in/code-field.tsx';

type WithFreshCode = <Result>(action: () => Promise<Result>) => Promise<Result>;

const FreshCodeContext = createContext<WithFreshCode>((action) => action());

/** Runs an action; if it needs a fresh code of the second factor, asks for one and runs the action again. */
export function useWithFreshCode(): WithFreshCode {
  return useContext(FreshCodeContext);
}

interface Waiting {
  proceed(): void;
  cancel(): void;
}

export function FreshCodeProvider({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting>();
  const withFreshCode = useCallback<WithFreshCode>(async (action) => {
    try {
      return await action();
    } catch (error) {
      if (!isApiError(error) || !error.hasDetail('FRESH_CODE_REQUIRED')) throw error;
      await new Promise<void>((resolve, reject) => {
        setWaiting({ proceed: resolve, cancel: () => reject(new Cancelled()) });
      }).finally(() => setWaiting(undefined));
      return action();
    }
  }, []);
  return (
    <FreshCodeContext value={withFreshCode}>
      {children}
      {waiting === undefined ? null : <FreshCodeDialog {...waiting} />}
    </FreshCodeContext>
  );
}

function FreshCodeDialog({ proceed, cancel }: Waiting) {
  const { update } = useSession();
  const { error, isPending, submit } = useSubmit(async (field) => {
    update(await call('renewMfa', { body: { code: field('code') } }));
    proceed();
  });
  return (
    <Dialog isOpen title="Confirm that it is you" onClose={cancel}>
      <p>
        Managing users and clients needs a code that is no older than 15 minutes. Your action
        continues when the code is accepted.
      </p>
      <form onSubmit={submit}>
        <ErrorAlert error={error} />
        <CodeField />
        <div className="buttons">
          <SubmitButton isPending={isPending}>Continue</SubmitButton>
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
