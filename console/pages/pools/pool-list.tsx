import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { List } from '../../ui/list/list.tsx';
import type { Filters } from '../../ui/list/use-filters.ts';
import { StatusTag } from '../../ui/object/status-tag.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Identifier } from '../../ui/values/facts.tsx';
import { OrganizationLink } from '../organizations/organization-link.tsx';
import type { Pool } from './pool.ts';

const COLUMNS: readonly Column<Pool>[] = [
  { title: 'Code', cell: ({ code }) => <Identifier>{code}</Identifier> },
  {
    title: 'Pool',
    isName: true,
    cell: ({ id, name }) => (
      <Link href={`/pools/${id}`}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusTag status={status} /> },
  { title: 'Lead insurer', cell: ({ leadInsurer }) => <OrganizationLink {...leadInsurer} /> },
  {
    title: 'Management company',
    cell: ({ managementCompany }) =>
      managementCompany === null ? (
        <span className="quiet">none</span>
      ) : (
        <OrganizationLink {...managementCompany} />
      ),
  },
];

interface PoolListProps {
  readonly read: UseQueryResult<DataOf<'listPools'>>;
  readonly filters: Filters;
  readonly nothingYet: ReactNode;
}

export function PoolList({ read, filters, nothingYet }: PoolListProps) {
  return (
    <List read={read} filters={filters} one="pool" nothingYet={nothingYet}>
      {(rows) => <Table label="Pools" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />}
    </List>
  );
}
