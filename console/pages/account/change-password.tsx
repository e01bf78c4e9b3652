import { useState } from 'react';
import { PasswordForm } from '../../session/password-form.tsx';
import { useSession } from '../../session/session-context.ts';

export function ChangePassword() {
  const { update } = useSession();
  const [changes, setChanges] = useState(0);
  return (
    <>
      <p className="hint">Your other sessions end when the password changes.</p>
      <div role="status">
        {changes === 0 ? null : <p className="alert alert-good">The password is changed.</p>}
      </div>
      <PasswordForm
        key={changes}
        onChanged={(session) => {
          update(session);
          setChanges(changes + 1);
        }}
      />
    </>
  );
}
