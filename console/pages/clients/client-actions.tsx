import { useState } from 'react';
import { useSave } from '../../api/use-save.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { countOf } from '../../words.ts';
import type { Client } from './client-values.ts';
import { RotateSecrets } from './rotate-secrets.tsx';

const SHOWN_BY = ['readClient', 'listClients', 'listAudit'] as const;

export function ClientActions({
  client: { id, version, status, organization },
}: {
  client: Client;
}) {
  const params = { apiClientId: id };
  const suspend = useSave('suspendClient', SHOWN_BY);
  const reactivate = useSave('reactivateClient', SHOWN_BY);
  const isActive = status === 'ACTIVE';
  return (
    <div className="buttons">
      <RotateSecrets apiClientId={id} version={version} />
      <RevokeTokens apiClientId={id} />
      <Confirm
        action={isActive ? 'Suspend' : 'Reactivate'}
        title={isActive ? 'Suspend the client' : 'Reactivate the client'}
        isDangerous={isActive}
        asksReason
        onConfirm={(reason) => (isActive ? suspend : reactivate)({ params, body: { reason } })}
      >
        <p>
          {isActive ? (
            <>
              Every request of it is refused from now on. <bdi>{organization.name}</bdi> cannot use
              it until it is reactivated.
            </>
          ) : (
            'It can send requests again at once. Its tokens work again unless they have expired or were revoked.'
          )}
        </p>
      </Confirm>
    </div>
  );
}

function RevokeTokens({ apiClientId }: { apiClientId: string }) {
  const [revoked, setRevoked] = useState<number>();
  const revoke = useSave('revokeClientTokens', ['listAudit']);
  return (
    <>
      <span role="status" className="quiet">
        {revoked === undefined ? '' : `${countOf(revoked, 'token')} revoked.`}
      </span>
      <Confirm
        action="Revoke the tokens"
        title="Revoke all tokens of the client"
        onConfirm={async () => {
          setRevoked((await revoke({ params: { apiClientId } })).revoked);
        }}
      >
        <p>Its tokens stop working at once. While it is active it can obtain new ones.</p>
      </Confirm>
    </>
  );
}
