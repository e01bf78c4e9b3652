import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { List } from '../../ui/list/list.tsx';
import type { Filters } from '../../ui/list/use-filters.ts';
import { StatusTag } from '../../ui/object/status-tag.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Identifier } from '../../ui/values/facts.tsx';
import { When } from '../../ui/values/when.tsx';
import type { Client } from './client-values.ts';

const NAME: Column<Client> = {
  title: 'Client',
  cell: ({ id, name }) => (
    <Link href={`/clients/${id}`}>
      <bdi>{name}</bdi>
    </Link>
  ),
};

const ORGANIZATION: Column<Client> = {
  title: 'Organization',
  cell: ({ organization }) => (
    <Link href={`/organizations/${organization.id}`}>
      <bdi>{organization.name}</bdi>
    </Link>
  ),
};

const MORE: readonly Column<Client>[] = [
  { title: 'Client id', cell: ({ clientId }) => <Identifier>{clientId}</Identifier> },
  { title: 'Status', cell: ({ status }) => <StatusTag status={status} /> },
  { title: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
  {
    title: 'Requests per minute',
    isNumber: true,
    cell: ({ rateLimitPerMinute }) => rateLimitPerMinute.toLocaleString('en'),
  },
  { title: 'Last used', cell: ({ lastUsedAt }) => <LastUse at={lastUsedAt} /> },
];

interface ClientListProps {
  readonly read: UseQueryResult<DataOf<'listClients'>>;
  readonly filters: Filters;
  /** False on the page of their organization. */
  readonly showsOrganization?: boolean;
}

export function ClientList({ read, filters, showsOrganization = true }: ClientListProps) {
  const columns = showsOrganization ? [NAME, ORGANIZATION, ...MORE] : [NAME, ...MORE];
  return (
    <List read={read} filters={filters} one="client" nothingYet={<p>There are no clients yet.</p>}>
      {(rows) => <Table label="Clients" columns={columns} rows={rows} keyOf={({ id }) => id} />}
    </List>
  );
}

export function LastUse({ at }: { at: string | null }) {
  return at === null ? <span className="quiet">never</span> : <When at={at} />;
}
