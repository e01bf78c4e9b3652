import { SECRET_KINDS } from 'virtual:contract';
import { useState } from 'react';
import type { DataOf } from '../../api/contract.ts';
import { messagesOf } from '../../api/errors.ts';
import { useSave } from '../../api/use-save.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { CheckGroup } from '../../ui/form/check-group.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { wordsOf } from '../../words.ts';
import { ClientSecretsDialog } from './client-secrets-dialog.tsx';

type Rotated = DataOf<'rotateClientSecrets'>;
type SecretKind = (typeof SECRET_KINDS)[number];

interface RotateSecretsProps {
  readonly apiClientId: string;
  readonly version: number;
}

/** The button that replaces secrets, then the new secrets. */
export function RotateSecrets({ apiClientId, version }: RotateSecretsProps) {
  const [rotated, setRotated] = useState<Rotated>();
  return (
    <>
      <FormDialog action="Rotate secrets" title="Rotate secrets" isPrimary>
        {(close) => (
          <RotateForm
            apiClientId={apiClientId}
            version={version}
            onCancel={close}
            onRotated={(answer) => {
              close();
              setRotated(answer);
            }}
          />
        )}
      </FormDialog>
      {rotated === undefined ? null : (
        <ClientSecretsDialog
          title="The secrets are replaced"
          answer={rotated}
          onClose={() => setRotated(undefined)}
        />
      )}
    </>
  );
}

const OVERLAPS = ['86400', '14400', '3600', '0'] as const;
const OVERLAP_WORDS = {
  86400: 'for 24 hours',
  14400: 'for 4 hours',
  3600: 'for 1 hour',
  0: 'not at all: they and all tokens end now',
} as const;

interface RotateFormProps extends RotateSecretsProps {
  readonly onCancel: () => void;
  readonly onRotated: (rotated: Rotated) => void;
}

function RotateForm({ apiClientId, version, onCancel, onRotated }: RotateFormProps) {
  const [kinds, setKinds] = useState<readonly SecretKind[]>(SECRET_KINDS);
  const rotate = useSave('rotateClientSecrets', ['readClient', 'listClients', 'listAudit']);
  const { error, isPending, submit } = useSubmit(async (field) => {
    const overlapSeconds = Number(field('overlap'));
    const body = { secrets: [...kinds], overlapSeconds, expectedVersion: version };
    onRotated(await rotate({ params: { apiClientId }, body }));
  });
  return (
    <form onSubmit={submit}>
      <p>The new secrets work at once. The earlier ones can go on working for a while.</p>
      <ErrorAlert error={error} />
      <CheckGroup
        legend="Replace"
        options={SECRET_KINDS}
        words={wordsOf(SECRET_KINDS)}
        chosen={kinds}
        onChange={setKinds}
        error={messagesOf(error, 'secrets')[0]}
      />
      <SelectField
        name="overlap"
        label="The earlier ones still work"
        options={OVERLAPS}
        words={OVERLAP_WORDS}
      />
      <FormButtons action="Rotate" isPending={isPending} onCancel={onCancel} />
    </form>
  );
}
