import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import type { DataOf } from '../../api/contract.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { CopyButton } from '../../ui/values/copy-button.tsx';
import type { Session } from '../session-context.ts';
import { CodeField } from './code-field.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface EnrollmentProps {
  readonly onSignedIn: (session: Session) => void;
  readonly onAgain: () => void;
}

/** The first sign-in: the user adds the account to an authenticator app, confirms it with a code, and saves the recovery codes. */
export function Enrollment({ onSignedIn, onAgain }: EnrollmentProps) {
  const [enrolled, setEnrolled] = useState<DataOf<'enrollMfa'>>();
  const [failure, setFailure] = useState<unknown>();
  const [signedIn, setSignedIn] = useState<DataOf<'verifyMfa'>>();
  useEffect(() => {
    const reading = new AbortController();
    call('enrollMfa', {}, { signal: reading.signal }).then(setEnrolled, (error: unknown) => {
      if (!reading.signal.aborted) setFailure(error);
    });
    return () => reading.abort();
  }, []);

  if (signedIn !== undefined) {
    const { recoveryCodes, ...session } = signedIn;
    return (
      <>
        <h1>Save your recovery codes</h1>
        <RecoveryCodes codes={recoveryCodes ?? []} onSaved={() => onSignedIn(session)} />
      </>
    );
  }
  if (enrolled === undefined) return <ErrorAlert error={failure} onRetry={onAgain} />;
  return <Confirmation enrolled={enrolled} onConfirmed={setSignedIn} onAgain={onAgain} />;
}

interface ConfirmationProps {
  readonly enrolled: DataOf<'enrollMfa'>;
  readonly onConfirmed: (signedIn: DataOf<'verifyMfa'>) => void;
  readonly onAgain: () => void;
}

function Confirmation({ enrolled, onConfirmed, onAgain }: ConfirmationProps) {
  const { error, isPending, submit } = useSubmit(async (field) => {
    onConfirmed(await call('verifyMfa', { body: { code: field('code') } }));
  });
  return (
    <form onSubmit={submit}>
      <h1>Set up your authenticator app</h1>
      <p>Scan this code with an authenticator app, or type the key into it.</p>
      <QrCode text={enrolled.otpauthUri} />
      <p className="key">
        <span className="quiet">Key</span> <code>{inGroups(enrolled.secret)}</code>{' '}
        <CopyButton text={enrolled.secret} what="key" />
      </p>
      <ErrorAlert error={error} />
      <CodeField isEnrolling />
      <div className="buttons">
        <SubmitButton isPending={isPending}>Confirm</SubmitButton>
        <button type="button" onClick={onAgain}>
          Start again
        </button>
      </div>
    </form>
  );
}

function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
