import { ROLES } from 'virtual:contract';
import { useSave } from '../../api/use-save.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { ROLE_WORDS } from '../../words.ts';
import { USER_SHOWN_BY, type User } from './user.ts';

export function ChangeRole({ user }: { user: User }) {
  return (
    <FormDialog action="Change the role" title="Change the role">
      {(close) => <RoleForm user={user} onClose={close} />}
    </FormDialog>
  );
}

function RoleForm({ user: { id, role }, onClose }: { user: User; onClose: () => void }) {
  const changeRole = useSave('changeUserRole', USER_SHOWN_BY);
  const { error, isPending, submit } = useSubmit(async (field) => {
    // The field offers only roles.
    const body = { role: field('role') as User['role'] };
    await changeRole({ params: { userId: id }, body });
    onClose();
  });
  return (
    <form onSubmit={submit}>
      <p>Every session of the user ends at once.</p>
      <ErrorAlert error={error} />
      <SelectField
        name="role"
        label="Role"
        options={ROLES}
        words={ROLE_WORDS}
        defaultValue={role}
      />
      <FormButtons action="Change" isPending={isPending} onCancel={onClose} />
    </form>
  );
}
