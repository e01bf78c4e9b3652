import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { IS_SANDBOX } from '../../api/environment.ts';
import { isApiError } from '../../api/errors.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import type { Session } from '../session-context.ts';
import { CodeField } from './code-field.tsx';
import { Enrollment } from './enrollment.tsx';

export type SignInStep = 'password' | 'code' | 'enrollment';

interface SignInProps {
  /** True after a session ended by itself. */
  readonly isOver: boolean;
  readonly firstStep: SignInStep;
  readonly onSignedIn: (session: Session) => void;
}

/** In place of the page: the URL stays, so that a link leads where it points after the sign-in. */
export function SignIn({ isOver, firstStep, onSignedIn }: SignInProps) {
  const [step, setStep] = useState<SignInStep>(firstStep);
  useEffect(() => {
    document.title = 'Sign in – Registry console';
  }, []);
  return (
    <main className="sign-in">
      <div className="card">
        <p className="brand">Registry console{IS_SANDBOX ? ' – sandbox' : ''}</p>
        {step === 'password' ? (
          <PasswordStep
            isOver={isOver}
            onNext={(next) => setStep(next === 'MFA_REQUIRED' ? 'code' : 'enrollment')}
          />
        ) : null}
        {step === 'code' ? (
          <CodeStep onSignedIn={onSignedIn} onAgain={() => setStep('password')} />
        ) : null}
        {step === 'enrollment' ? (
          <Enrollment onSignedIn={onSignedIn} onAgain={() => setStep('password')} />
        ) : null}
      </div>
    </main>
  );
}

interface PasswordStepProps {
  readonly isOver: boolean;
  readonly onNext: (next: 'MFA_REQUIRED' | 'MFA_ENROLLMENT_REQUIRED') => void;
}

function PasswordStep({ isOver, onNext }: PasswordStepProps) {
  const { error, isPending, submit } = useSubmit(async (field) => {
    const body = { email: field('email'), password: field('password') };
    onNext((await call('login', { body })).next);
  });
  return (
    <form onSubmit={submit}>
      <h1>Sign in</h1>
      {isOver ? (
        <p role="status" className="alert alert-info">
          Your session has ended. Sign in again to go on where you were; what you typed is kept.
        </p>
      ) : null}
      <ErrorAlert error={error} />
      <TextField
        name="email"
        type="email"
        label="E-mail address"
        autoComplete="username"
        required
        autoFocus
      />
      <TextField
        name="password"
        type="password"
        label="Password"
        autoComplete="current-password"
        required
      />
      <SubmitButton isPending={isPending}>Continue</SubmitButton>
    </form>
  );
}

interface CodeStepProps {
  readonly onSignedIn: (session: Session) => void;
  readonly onAgain: () => void;
}

function CodeStep({ onSignedIn, onAgain }: CodeStepProps) {
  const { error, isPending, submit } = useSubmit(async (field) => {
    const { recoveryCodes: _, ...session } = await call('verifyMfa', {
      body: { code: field('code') },
    });
    onSignedIn(session);
  });
  return (
    <form onSubmit={submit}>
      <h1>Second step</h1>
      <ErrorAlert
        error={error}
        {...(isApiError(error, 'MFA_REQUIRED') ? { onRetry: onAgain } : {})}
      />
      <CodeField />
      <div className="buttons">
        <SubmitButton isPending={isPending}>Sign in</SubmitButton>
        <button type="button" onClick={onAgain}>
          Start again
        </button>
      </div>
    </form>
  );
}
