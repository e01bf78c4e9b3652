import { useSession } from '../../session/session-context.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { ROLE_WORDS } from '../../words.ts';
import { ChangePassword } from './change-password.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { ReplaceRecoveryCodes } from './replace-recovery-codes.tsx';

/** What concerns only the user who is signed in. */
export function AccountPage() {
  const { session } = useSession();
  return (
    <div className="page-narrow">
      <PageTitle title="Account" />
      <p>
        {session.user.email}, {ROLE_WORDS[session.user.role].toLowerCase()}
      </p>
      <section aria-labelledby="own-sessions">
        <h2 id="own-sessions">Where you are signed in</h2>
        <OwnSessions />
      </section>
      <section aria-labelledby="change-password">
        <h2 id="change-password">Password</h2>
        <ChangePassword />
      </section>
      <section aria-labelledby="recovery-codes">
        <h2 id="recovery-codes">Recovery codes</h2>
        <ReplaceRecoveryCodes />
      </section>
    </div>
  );
}
