import { ROLES } from 'virtual:contract';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { DataOf, RequestOf } from '../../api/contract.ts';
import { messagesOf } from '../../api/errors.ts';
import { useSave } from '../../api/use-save.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { useFormDraft } from '../../ui/form/use-form-draft.ts';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { ROLE_WORDS } from '../../words.ts';
import { InitialPasswordDialog } from './initial-password-dialog.tsx';

type Created = DataOf<'createUser'>;
type Role = RequestOf<'createUser'>['body']['role'];

/** The button that creates a user, then the initial password, then the page of the user. */
export function CreateUser() {
  const [created, setCreated] = useState<Created>();
  const [, navigate] = useLocation();
  return (
    <>
      <FormDialog action="Create a user" title="Create a user" isPrimary>
        {(close) => (
          <CreateForm
            onCancel={close}
            onCreated={(answer) => {
              close();
              setCreated(answer);
            }}
          />
        )}
      </FormDialog>
      {created === undefined ? null : (
        <InitialPasswordDialog
          title="The user is created"
          answer={created}
          onClose={() => {
            setCreated(undefined);
            navigate(`/users/${created.user.id}`);
          }}
        />
      )}
    </>
  );
}

interface CreateFormProps {
  readonly onCancel: () => void;
  readonly onCreated: (created: Created) => void;
}

function CreateForm({ onCancel, onCreated }: CreateFormProps) {
  const { values, bind, forget } = useFormDraft('new user', { email: '', role: 'REVIEWER' });
  const create = useSave('createUser', ['listUsers']);
  const { error, isPending, submit } = useSubmit(async () => {
    // The field offers only roles.
    const body = { email: values.email.trim(), role: values.role as Role };
    const created = await create({ body });
    forget();
    onCreated(created);
  });
  return (
    <form onSubmit={submit}>
      <p>
        The registry makes an initial password. At the first sign-in the user enrolls a second
        factor and chooses another password.
      </p>
      <ErrorAlert error={error} />
      <TextField
        {...bind('email')}
        type="email"
        label="E-mail address"
        error={messagesOf(error, 'email')[0]}
        maxLength={254}
        autoComplete="off"
        required
      />
      <SelectField {...bind('role')} label="Role" options={ROLES} words={ROLE_WORDS} />
      <FormButtons action="Create" isPending={isPending} onCancel={onCancel} />
    </form>
  );
}
