import { useState } from 'react';
import { useSave } from '../../api/use-save.ts';
import { VersionedForm } from '../../ui/form/versioned/versioned-form.tsx';
import { ClientFields } from './client-fields.tsx';
import { CLIENT_LABELS, type Client, clientChangesOf, storedClient } from './client-values.ts';

export function ChangeClient({ client }: { client: Client }) {
  const [savedVersion, setSavedVersion] = useState<number>();
  const change = useSave('changeClient', ['readClient', 'listClients', 'listAudit']);
  return (
    <div className="form-narrow">
      <p className="hint">
        It takes effect with the next request. Tokens lose a removed scope at once; an added scope
        needs a new token.
      </p>
      <div role="status">
        {savedVersion === undefined ? null : (
          <p className="alert alert-good">Saved as version {savedVersion}.</p>
        )}
      </div>
      <VersionedForm
        draftKey={`client ${client.id}`}
        stored={storedClient(client)}
        labels={CLIENT_LABELS}
        action="Save"
        save={async (changes, expectedVersion) => {
          const { version } = await change({
            params: { apiClientId: client.id },
            body: { ...clientChangesOf(changes), expectedVersion },
          });
          setSavedVersion(version);
        }}
        storedOf={(data) => storedClient(data as Client)}
        onSaved={() => undefined}
      >
        {(fields) => <ClientFields {...fields} />}
      </VersionedForm>
    </div>
  );
}
