import { useState } from 'react';
import type { DataOf } from '../../api/contract.ts';
import { useSave } from '../../api/use-save.ts';
import { useSession } from '../../session/session-context.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { countOf } from '../../words.ts';
import { ChangeRole } from './change-role.tsx';
import { InitialPasswordDialog } from './initial-password-dialog.tsx';
import { USER_SHOWN_BY, type User } from './user.ts';

/**
 * Resets and the end of sessions are absent on the own account, where they are never allowed (D50). Role and status stay, because their refusal says
 * what to do: another administrator, who may have to be made one first.
 */
export function UserActions({ user }: { user: User }) {
  const { session } = useSession();
  const isOwn = session.user.id === user.id;
  return (
    <>
      <div className="buttons">
        <ChangeRole user={user} />
        {isOwn ? null : <Resets user={user} />}
        <StatusAction user={user} />
      </div>
      {isOwn ? (
        <p className="hint">
          This is your own account. Another administrator can change it; your password and recovery
          codes are under Account.
        </p>
      ) : null}
    </>
  );
}

function StatusAction({ user: { id, status } }: { user: User }) {
  const params = { userId: id };
  const disable = useSave('disableUser', USER_SHOWN_BY);
  const enable = useSave('enableUser', USER_SHOWN_BY);
  const isActive = status === 'ACTIVE';
  return (
    <Confirm
      action={isActive ? 'Disable' : 'Reactivate'}
      title={isActive ? 'Disable the user' : 'Reactivate the user'}
      isDangerous={isActive}
      asksReason
      onConfirm={(reason) => (isActive ? disable : enable)({ params, body: { reason } })}
    >
      <p>
        {isActive
          ? 'Every session of the user ends at once, and the user cannot sign in.'
          : 'The user can sign in again with the earlier password and second factor.'}
      </p>
    </Confirm>
  );
}

function Resets({ user: { id, mfaEnrolled } }: { user: User }) {
  const [ended, setEnded] = useState<number>();
  const [reset, setReset] = useState<DataOf<'resetUserPassword'>>();
  const params = { userId: id };
  const resetPassword = useSave('resetUserPassword', USER_SHOWN_BY);
  const resetMfa = useSave('resetUserMfa', USER_SHOWN_BY);
  const endSessions = useSave('endUserSessions', USER_SHOWN_BY);
  return (
    <>
      <Confirm
        action="Reset the password"
        title="Reset the password"
        asksReason
        onConfirm={async (reason) => setReset(await resetPassword({ params, body: { reason } }))}
      >
        <p>
          The registry makes an initial password and unlocks the user. Every session of the user
          ends at once.
        </p>
      </Confirm>
      {reset === undefined ? null : (
        <InitialPasswordDialog
          title="The password is reset"
          answer={reset}
          onClose={() => setReset(undefined)}
        />
      )}
      {mfaEnrolled ? (
        <Confirm
          action="Reset the second factor"
          title="Reset the second factor"
          asksReason
          onConfirm={(reason) => resetMfa({ params, body: { reason } })}
        >
          <p>
            The user enrolls a new one at the next sign-in. The recovery codes no longer work. Every
            session of the user ends at once.
          </p>
        </Confirm>
      ) : null}
      <Confirm
        action="End the sessions"
        title="End the sessions of the user"
        asksReason
        onConfirm={async (reason) => {
          setEnded((await endSessions({ params, body: { reason } })).ended);
        }}
      >
        <p>The user is signed out everywhere, and can sign in again.</p>
      </Confirm>
      <span role="status" className="quiet">
        {ended === undefined ? '' : `${countOf(ended, 'session')} ended.`}
      </span>
    </>
  );
}
