import { useLocation } from 'wouter';
import { useSave } from '../../api/use-save.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useFormDraft } from '../../ui/form/use-form-draft.ts';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { CodeAndName } from '../organizations/code-and-name.tsx';
import { readOrganizationId } from '../organizations/organization-field.tsx';
import { PoolFields, readManagementCompanyId } from './pool-fields.tsx';

export function CreatePool() {
  return (
    <FormDialog action="Create a pool" title="Create a pool" isPrimary>
      {(close) => <CreateForm onCancel={close} />}
    </FormDialog>
  );
}

function CreateForm({ onCancel }: { onCancel: () => void }) {
  const [, navigate] = useLocation();
  const { values, bind, forget } = useFormDraft('new pool', {
    code: '',
    name: '',
    leadInsurer: '',
    managementCompany: '',
  });
  const create = useSave('createPool', ['listPools', 'listOrganizations']);
  const { error, isPending, submit } = useSubmit(async () => {
    const { id } = await create({
      body: {
        code: values.code.trim(),
        name: values.name.trim(),
        leadInsurerId: await readOrganizationId(values.leadInsurer),
        managementCompanyId: await readManagementCompanyId(values.managementCompany),
      },
    });
    forget();
    navigate(`/pools/${id}`);
  });
  return (
    <form onSubmit={submit}>
      <ErrorAlert error={error} />
      <CodeAndName bind={bind} error={error} />
      <PoolFields bind={bind} error={error} />
      <FormButtons action="Create" isPending={isPending} onCancel={onCancel} />
    </form>
  );
}
