import { RATE_LIMIT_PER_MINUTE_DEFAULT } from 'virtual:contract';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { messagesOf } from '../../api/errors.ts';
import { useSave } from '../../api/use-save.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useFormDraft } from '../../ui/form/use-form-draft.ts';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { OrganizationField, readOrganizationId } from '../organizations/organization-field.tsx';
import { ClientFields } from './client-fields.tsx';
import { ClientSecretsDialog } from './client-secrets-dialog.tsx';
import { type ClientField, clientBodyOf } from './client-values.ts';

type Issued = DataOf<'createClient'>;

/** The button that issues a client, then its secrets, then the page of the client. */
export function IssueClient({ organizationCode = '' }: { organizationCode?: string }) {
  const [issued, setIssued] = useState<Issued>();
  const [, navigate] = useLocation();
  return (
    <>
      <FormDialog action="Issue a client" title="Issue an API client" isPrimary>
        {(close) => (
          <IssueForm
            organizationCode={organizationCode}
            onCancel={close}
            onIssued={(answer) => {
              close();
              setIssued(answer);
            }}
          />
        )}
      </FormDialog>
      {issued === undefined ? null : (
        <ClientSecretsDialog
          title="The client is issued"
          answer={issued}
          onClose={() => {
            setIssued(undefined);
            navigate(`/clients/${issued.client.id}`);
          }}
        />
      )}
    </>
  );
}

interface IssueFormProps {
  readonly organizationCode: string;
  readonly onCancel: () => void;
  readonly onIssued: (issued: Issued) => void;
}

const EMPTY: Readonly<Record<ClientField, string>> = {
  name: '',
  scopes: '',
  ipAllowlist: '',
  rateLimitPerMinute: String(RATE_LIMIT_PER_MINUTE_DEFAULT),
};

function IssueForm({ organizationCode, onCancel, onIssued }: IssueFormProps) {
  const { values, change, bind, forget } = useFormDraft(`new client ${organizationCode}`, {
    ...EMPTY,
    organization: organizationCode,
  });
  const create = useSave('createClient', ['listClients', 'countForOrganization']);
  const { error, isPending, submit } = useSubmit(async () => {
    const { organization, ...fields } = values;
    const issued = await create({
      body: {
        organizationId: await readOrganizationId(organization),
        ...clientBodyOf(fields),
      },
    });
    forget();
    onIssued(issued);
  });
  return (
    <form onSubmit={submit}>
      <ErrorAlert error={error} />
      <OrganizationField
        {...bind('organization')}
        label="Organization"
        error={messagesOf(error, 'organizationId')[0]}
        required
      />
      <ClientFields values={values} change={change} bind={bind} error={error} />
      <FormButtons action="Issue" isPending={isPending} onCancel={onCancel} />
    </form>
  );
}
