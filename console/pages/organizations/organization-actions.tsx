import { messagesOf } from '../../api/errors.ts';
import { useSave } from '../../api/use-save.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { VersionedForm } from '../../ui/form/versioned/versioned-form.tsx';
import { ORGANIZATION_SHOWN_BY, type Organization, storedName } from './organization.ts';

/** Rename, suspend and reactivate: for organizations of all types, pools too. */
export function OrganizationActions({ organization }: { organization: Organization }) {
  return (
    <>
      <FormDialog action="Rename" title="Rename">
        {(close) => <RenameForm organization={organization} onClose={close} />}
      </FormDialog>
      <StatusAction organization={organization} />
    </>
  );
}

interface RenameFormProps {
  readonly organization: Organization;
  readonly onClose: () => void;
}

function RenameForm({ organization, onClose }: RenameFormProps) {
  const rename = useSave('renameOrganization', ORGANIZATION_SHOWN_BY);
  const { id, name: earlier } = organization;
  return (
    <VersionedForm
      draftKey={`name of organization ${id}`}
      stored={storedName(organization)}
      labels={{ name: 'Name' }}
      action="Rename"
      save={({ name = earlier }, expectedVersion) =>
        rename({
          params: { organizationId: id },
          body: { name: name.trim(), expectedVersion },
        })
      }
      storedOf={(data) => storedName(data as Organization)}
      onSaved={onClose}
      onCancel={onClose}
    >
      {({ bind, error }) => (
        <>
          <p>Records show the new name from now on. The code does not change.</p>
          <TextField
            {...bind('name')}
            label="Name"
            error={messagesOf(error, 'name')[0]}
            maxLength={255}
            autoComplete="off"
            dir="auto"
            required
          />
        </>
      )}
    </VersionedForm>
  );
}

function StatusAction({ organization: { id, status } }: { organization: Organization }) {
  const params = { organizationId: id };
  const suspend = useSave('suspendOrganization', ORGANIZATION_SHOWN_BY);
  const reactivate = useSave('reactivateOrganization', ORGANIZATION_SHOWN_BY);
  const isActive = status === 'ACTIVE';
  return (
    <Confirm
      action={isActive ? 'Suspend' : 'Reactivate'}
      title={isActive ? 'Suspend the organization' : 'Reactivate the organization'}
      isDangerous={isActive}
      asksReason
      onConfirm={(reason) => (isActive ? suspend : reactivate)({ params, body: { reason } })}
    >
      <p>
        {isActive
          ? 'From the next transmission on, what it sends and what names it as issuing insurer is rejected. It can still read.'
          : 'It can transmit again from the next transmission on.'}
      </p>
    </Confirm>
  );
}
