import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session-context.ts';
import { useTabPages } from '../../ui/list/use-tab-pages.ts';
import { ClientList } from '../clients/client-list.tsx';
import { IssueClient } from '../clients/issue-client.tsx';
import type { Organization } from './organization.ts';

export function OwnClients({
  organization: { id, code },
}: {
  organization: Pick<Organization, 'id' | 'code'>;
}) {
  const filters = useTabPages();
  const mayManage = useMay('clients:manage');
  const read = useRead(
    'listClients',
    { query: { organizationId: id, ...filters.query } },
    { keepsEarlier: true },
  );
  return (
    <>
      {mayManage ? <IssueClient organizationCode={code} /> : null}
      <ClientList read={read} filters={filters} showsOrganization={false} />
    </>
  );
}
