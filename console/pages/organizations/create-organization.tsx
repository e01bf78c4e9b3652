import { ORGANIZATION_TYPES } from 'virtual:contract';
import { useLocation } from 'wouter';
import type { RequestOf } from '../../api/contract.ts';
import { useSave } from '../../api/use-save.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { useFormDraft } from '../../ui/form/use-form-draft.ts';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { wordsOf } from '../../words.ts';
import { CodeAndName } from './code-and-name.tsx';

type Type = RequestOf<'createOrganization'>['body']['type'];

/** A pool has a lead insurer and is created on its own page. */
const TYPES = ORGANIZATION_TYPES.filter((type): type is Type => type !== 'INSURANCE_POOL');

export function CreateOrganization() {
  return (
    <FormDialog action="Create an organization" title="Create an organization" isPrimary>
      {(close) => <CreateForm onCancel={close} />}
    </FormDialog>
  );
}

function CreateForm({ onCancel }: { onCancel: () => void }) {
  const [, navigate] = useLocation();
  const { values, bind, forget } = useFormDraft('new organization', {
    code: '',
    name: '',
    type: 'INSURANCE_COMPANY',
  });
  const create = useSave('createOrganization', ['listOrganizations']);
  const { error, isPending, submit } = useSubmit(async () => {
    const { code, name, type } = values;
    // The field offers only types.
    const body = { code: code.trim(), name: name.trim(), type: type as Type };
    const { id } = await create({ body });
    forget();
    navigate(`/organizations/${id}`);
  });
  return (
    <form onSubmit={submit}>
      <ErrorAlert error={error} />
      <CodeAndName bind={bind} error={error} />
      <SelectField {...bind('type')} label="Type" options={TYPES} words={wordsOf(TYPES)} />
      <FormButtons action="Create" isPending={isPending} onCancel={onCancel} />
    </form>
  );
}
