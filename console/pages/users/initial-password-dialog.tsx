import { INITIAL_PASSWORD_HOURS } from 'virtual:contract';
import type { DataOf } from '../../api/contract.ts';
import { SecretDialog } from '../../ui/secret.tsx';

interface InitialPasswordDialogProps {
  readonly title: string;
  readonly answer: DataOf<'createUser'>;
  readonly onClose: () => void;
}

export function InitialPasswordDialog({ title, answer, onClose }: InitialPasswordDialogProps) {
  const { user, initialPassword } = answer;
  return (
    <SecretDialog
      title={title}
      secrets={[{ label: 'Initial password', value: initialPassword }]}
      onClose={onClose}
    >
      <p>
        Give it to <bdi>{user.email}</bdi>, over a way that nobody else reads. It works for{' '}
        {INITIAL_PASSWORD_HOURS} hours, and only to choose another password.
      </p>
    </SecretDialog>
  );
}
