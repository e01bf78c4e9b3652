import { Link, useParams } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session-context.ts';
import { Loaded } from '../../ui/object/loaded.tsx';
import { ObjectAudit } from '../../ui/object/object-audit.tsx';
import { StatusTag } from '../../ui/object/status-tag.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ChangeClient } from './change-client.tsx';
import { ClientActions } from './client-actions.tsx';
import { ClientOverview } from './client-overview.tsx';
import type { Client } from './client-values.ts';

/** One client: what it may do, its secrets, and who changed it. */
export function ClientPage() {
  const { apiClientId } = useParams<{ apiClientId: string }>();
  const read = useRead('readClient', { params: { apiClientId } });
  return (
    <div className="page" key={apiClientId}>
      <p>
        <Link href="/clients">API clients</Link>
      </p>
      <Loaded read={read} noun="client">
        {(client) => <ClientView client={client} />}
      </Loaded>
    </div>
  );
}

function ClientView({ client }: { client: Client }) {
  const mayManage = useMay('clients:manage');
  const mayAudit = useMay('audit:read');
  const overview = {
    id: 'overview',
    title: 'Overview',
    content: () => <ClientOverview client={client} />,
  };
  const change = { id: 'change', title: 'Change', content: () => <ChangeClient client={client} /> };
  const history = {
    id: 'history',
    title: 'History',
    content: () => <ObjectAudit targetId={client.id} />,
  };
  return (
    <>
      <div className="page-heading">
        <PageTitle title={client.name}>
          <bdi>{client.name}</bdi> <StatusTag status={client.status} />
        </PageTitle>
        {mayManage ? <ClientActions client={client} /> : null}
      </div>
      <Tabs
        label="Client"
        tabs={[overview, ...(mayManage ? [change] : []), ...(mayAudit ? [history] : [])]}
      />
    </>
  );
}
