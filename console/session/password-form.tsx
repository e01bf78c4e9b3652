import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from 'virtual:contract';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { messagesOf } from '../api/errors.ts';
import { ErrorAlert } from '../ui/error-alert.tsx';
import { SubmitButton } from '../ui/form/submit-button.tsx';
import { TextField } from '../ui/form/text-field.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';
import { type Session, useSession } from './session-context.ts';

/** Changes the password of the user. The other sessions of the user end. */
export function PasswordForm({ onChanged }: { onChanged: (session: Session) => void }) {
  const { session } = useSession();
  const [mismatch, setMismatch] = useState<string>();
  const { error, isPending, submit } = useSubmit(async (field) => {
    const newPassword = field('newPassword');
    const isRepeated = newPassword === field('repeated');
    setMismatch(isRepeated ? undefined : 'The two new passwords differ.');
    if (!isRepeated) return;
    const currentPassword = field('currentPassword');
    onChanged(await call('changePassword', { body: { currentPassword, newPassword } }));
  });
  const [refused] = messagesOf(error, 'newPassword');
  return (
    <form onSubmit={submit}>
      {refused === undefined ? <ErrorAlert error={error} /> : null}
      <input type="hidden" name="username" autoComplete="username" value={session.user.email} />
      <TextField
        name="currentPassword"
        type="password"
        label="Current password"
        autoComplete="current-password"
        required
      />
      <TextField
        name="newPassword"
        type="password"
        label="New password"
        hint={`At least ${PASSWORD_LENGTH_MIN} characters. Several words that do not belong together are good.`}
        error={refused}
        autoComplete="new-password"
        minLength={PASSWORD_LENGTH_MIN}
        maxLength={PASSWORD_LENGTH_MAX}
        required
      />
      <TextField
        name="repeated"
        type="password"
        label="New password again"
        error={mismatch}
        autoComplete="new-password"
        required
      />
      <SubmitButton isPending={isPending}>Change the password</SubmitButton>
    </form>
  );
}
