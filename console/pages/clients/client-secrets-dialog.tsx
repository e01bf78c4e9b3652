import type { DataOf } from '../../api/contract.ts';
import { SecretDialog } from '../../ui/secret.tsx';

interface ClientSecretsDialogProps {
  readonly title: string;
  readonly answer: DataOf<'createClient'>;
  readonly onClose: () => void;
}

/** The new secrets of a client; one that was not replaced is null. */
export function ClientSecretsDialog({ title, answer, onClose }: ClientSecretsDialogProps) {
  const { client, clientSecret, signingSecret } = answer;
  const secrets = [
    { label: 'Client secret', value: clientSecret },
    { label: 'Signing secret', value: signingSecret },
  ].flatMap(({ label, value }) => (value === null ? [] : [{ label, value }]));
  return (
    <SecretDialog title={title} secrets={secrets} onClose={onClose}>
      <p>
        Give these to <bdi>{client.organization.name}</bdi>, over a way that nobody else reads. The
        client id is <code>{client.clientId}</code>.
      </p>
    </SecretDialog>
  );
}
