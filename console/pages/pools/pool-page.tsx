import { Link, useParams } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session-context.ts';
import { Loaded } from '../../ui/object/loaded.tsx';
import { ObjectAudit } from '../../ui/object/object-audit.tsx';
import { StatusTag } from '../../ui/object/status-tag.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Facts, Identifier } from '../../ui/values/facts.tsx';
import { When } from '../../ui/values/when.tsx';
import { OrganizationActions } from '../organizations/organization-actions.tsx';
import { OrganizationLink } from '../organizations/organization-link.tsx';
import { OwnClients } from '../organizations/own-clients.tsx';
import { ChangePool } from './change-pool.tsx';
import { Memberships } from './memberships/memberships.tsx';
import type { Pool } from './pool.ts';

/** One pool: who leads it, its members over time, its clients, and who changed it. */
export function PoolPage() {
  const { poolId } = useParams<{ poolId: string }>();
  const read = useRead('readPool', { params: { poolId } });
  return (
    <div className="page" key={poolId}>
      <p>
        <Link href="/pools">Pools</Link>
      </p>
      <Loaded read={read} noun="pool">
        {(pool) => <PoolView pool={pool} />}
      </Loaded>
    </div>
  );
}

function PoolView({ pool }: { pool: Pool }) {
  const mayManage = useMay('organizations:manage');
  const maySeeClients = useMay('clients:read');
  const mayAudit = useMay('audit:read');
  const members = {
    id: 'members',
    title: 'Members',
    content: () => <Memberships poolId={pool.id} />,
  };
  const clients = {
    id: 'clients',
    title: 'Clients',
    content: () => <OwnClients organization={pool} />,
  };
  const history = {
    id: 'history',
    title: 'History',
    content: () => <ObjectAudit targetId={pool.id} />,
  };
  return (
    <>
      <div className="page-heading">
        <PageTitle title={pool.name}>
          <bdi>{pool.name}</bdi> <StatusTag status={pool.status} />
        </PageTitle>
        {mayManage ? <PoolActions pool={pool} /> : null}
      </div>
      <PoolFacts pool={pool} />
      <Tabs
        label="Pool"
        tabs={[members, ...(maySeeClients ? [clients] : []), ...(mayAudit ? [history] : [])]}
      />
    </>
  );
}

/** Name and status belong to the organization of the pool, which has a version of its own. */
function PoolActions({ pool }: { pool: Pool }) {
  const { data } = useRead('readOrganization', { params: { organizationId: pool.id } });
  return (
    <div className="buttons">
      <ChangePool pool={pool} />
      {data === undefined ? null : <OrganizationActions organization={data} />}
    </div>
  );
}

function PoolFacts({ pool: { code, leadInsurer, managementCompany, createdAt } }: { pool: Pool }) {
  return (
    <Facts
      facts={[
        ['Code', <Identifier key="code">{code}</Identifier>],
        ['Lead insurer', <OrganizationLink key="lead" {...leadInsurer} />],
        [
          'Management company',
          managementCompany === null ? (
            'none'
          ) : (
            <OrganizationLink key="manager" {...managementCompany} />
          ),
        ],
        ['Created', <When key="created" at={createdAt} isExact />],
      ]}
    />
  );
}
