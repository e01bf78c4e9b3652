import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useSession } from '../../session/session-context.ts';
import { RecoveryCodes } from '../../session/sign-in/recovery-codes.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { countOf } from '../../words.ts';

export function ReplaceRecoveryCodes() {
  const { session, update } = useSession();
  const [codes, setCodes] = useState<readonly string[]>();
  const { error, isPending, submit } = useSubmit(async (field) => {
    const body = { password: field('password') };
    const { recoveryCodes } = await call('replaceRecoveryCodes', { body });
    setCodes(recoveryCodes);
    update({ ...session, recoveryCodesLeft: recoveryCodes.length });
  });
  if (codes !== undefined)
    return <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />;
  return (
    <form onSubmit={submit}>
      <p className="hint">
        You have {countOf(session.recoveryCodesLeft, 'unused code')}. New codes replace all of them.
      </p>
      <ErrorAlert error={error} />
      <TextField
        name="password"
        type="password"
        label="Your password"
        autoComplete="current-password"
        required
      />
      <SubmitButton isPending={isPending}>Replace the codes</SubmitButton>
    </form>
  );
}
