import { useEffect } from 'react';
import { PasswordForm } from './password-form.tsx';
import { useSession } from './session-context.ts';

/** An initial password permits nothing but choosing another one. */
export function InitialPassword() {
  const { session, update, signOut } = useSession();
  useEffect(() => {
    document.title = 'Choose a password – Registry console';
  }, []);
  return (
    <main className="sign-in">
      <div className="card">
        <p className="brand">Registry console</p>
        <h1>Choose your own password</h1>
        <p>
          You are signed in as {session.user.email} with an initial password. Replace it to go on.
        </p>
        <PasswordForm onChanged={update} />
        <p>
          <button type="button" className="link" onClick={() => void signOut()}>
            Sign out
          </button>
        </p>
      </div>
    </main>
  );
}
