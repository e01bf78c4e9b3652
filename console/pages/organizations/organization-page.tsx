import { Link, Redirect, useParams } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session-context.ts';
import { Loaded } from '../../ui/object/loaded.tsx';
import { ObjectAudit } from '../../ui/object/object-audit.tsx';
import { StatusTag } from '../../ui/object/status-tag.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type Organization, pathOf } from './organization.ts';
import { OrganizationActions } from './organization-actions.tsx';
import { OrganizationOverview } from './organization-overview.tsx';
import { OwnClients } from './own-clients.tsx';
import { OwnMemberships } from './own-memberships.tsx';
import { OwnPools } from './own-pools.tsx';

/** One organization: what belongs to it, its clients and memberships, the pools that it leads or manages, and who changed it. */
export function OrganizationPage() {
  const { organizationId } = useParams<{ organizationId: string }>();
  const read = useRead('readOrganization', { params: { organizationId } });
  return (
    <div className="page" key={organizationId}>
      <p>
        <Link href="/organizations">Organizations</Link>
      </p>
      <Loaded read={read} noun="organization">
        {(organization) =>
          organization.type === 'INSURANCE_POOL' ? (
            <Redirect to={pathOf(organization)} replace />
          ) : (
            <OrganizationView organization={organization} />
          )
        }
      </Loaded>
    </div>
  );
}

function OrganizationView({ organization }: { organization: Organization }) {
  const mayManage = useMay('organizations:manage');
  const maySeeClients = useMay('clients:read');
  const mayAudit = useMay('audit:read');
  const { id, name, type, status } = organization;
  const hasPools = type === 'INSURANCE_COMPANY' || type === 'MANAGEMENT_COMPANY';
  const overview = {
    id: 'overview',
    title: 'Overview',
    content: () => <OrganizationOverview organization={organization} />,
  };
  const clients = {
    id: 'clients',
    title: 'Clients',
    content: () => <OwnClients organization={organization} />,
  };
  const memberships = {
    id: 'memberships',
    title: 'Memberships',
    content: () => <OwnMemberships organizationId={id} />,
  };
  const pools = {
    id: 'pools',
    title: 'Pools',
    content: () => <OwnPools organization={organization} />,
  };
  const history = { id: 'history', title: 'History', content: () => <ObjectAudit targetId={id} /> };
  return (
    <>
      <div className="page-heading">
        <PageTitle title={name}>
          <bdi>{name}</bdi> <StatusTag status={status} />
        </PageTitle>
        {mayManage ? (
          <div className="buttons">
            <OrganizationActions organization={organization} />
          </div>
        ) : null}
      </div>
      <Tabs
        label="Organization"
        tabs={[
          overview,
          ...(maySeeClients ? [clients] : []),
          ...(type === 'INSURANCE_COMPANY' ? [memberships] : []),
          ...(hasPools ? [pools] : []),
          ...(mayAudit ? [history] : []),
        ]}
      />
    </>
  );
}
