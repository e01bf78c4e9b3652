import { messagesOf } from '../../../api/errors.ts';
import { useSave } from '../../../api/use-save.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { FormButtons } from '../../../ui/form/form-buttons.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useFormDraft } from '../../../ui/form/use-form-draft.ts';
import { useSubmit } from '../../../ui/form/use-submit.ts';
import { OrganizationField, readOrganizationId } from '../../organizations/organization-field.tsx';

interface AddMembershipProps {
  readonly poolId: string;
  readonly today: string;
}

export function AddMembership(props: AddMembershipProps) {
  return (
    <FormDialog action="Add a member" title="Add a member">
      {(close) => <AddForm {...props} onClose={close} />}
    </FormDialog>
  );
}

function AddForm({ poolId, today, onClose }: AddMembershipProps & { onClose: () => void }) {
  const { values, bind, forget } = useFormDraft(`new member of ${poolId}`, {
    insurer: '',
    validFrom: today,
    validTo: '',
  });
  const add = useSave('addMembership', [
    'listMemberships',
    'listMembershipsOfInsurer',
    'countForOrganization',
  ]);
  const { error, isPending, submit } = useSubmit(async () => {
    const { insurer, validFrom, validTo } = values;
    const insurerId = await readOrganizationId(insurer);
    const body = { insurerId, validFrom, validTo: validTo === '' ? null : validTo };
    await add({ params: { poolId }, body });
    forget();
    onClose();
  });
  return (
    <form onSubmit={submit}>
      <p>The membership applies to policies issued from its first to its last day.</p>
      <ErrorAlert error={error} />
      <OrganizationField
        {...bind('insurer')}
        type="INSURANCE_COMPANY"
        label="Insurer"
        error={messagesOf(error, 'insurerId')[0]}
        required
      />
      <TextField
        {...bind('validFrom')}
        type="date"
        label="First day"
        error={messagesOf(error, 'validFrom')[0]}
        required
      />
      <TextField
        {...bind('validTo')}
        type="date"
        label="Last day"
        hint="Leave it empty for a membership without an end."
        error={messagesOf(error, 'validTo')[0]}
      />
      <FormButtons action="Add" isPending={isPending} onCancel={onClose} />
    </form>
  );
}
