import { ORGANIZATION_STATUSES, ORGANIZATION_TYPES } from 'virtual:contract';
import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session-context.ts';
import { FilterBar, filterProps } from '../../ui/list/filter-bar.tsx';
import { InputFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { List } from '../../ui/list/list.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { StatusTag } from '../../ui/object/status-tag.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Identifier } from '../../ui/values/facts.tsx';
import { When } from '../../ui/values/when.tsx';
import { inWords, wordsOf } from '../../words.ts';
import { CreateOrganization } from './create-organization.tsx';
import type { Organization } from './organization.ts';
import { OrganizationLink } from './organization-link.tsx';

const COLUMNS: readonly Column<Organization>[] = [
  { title: 'Code', cell: ({ code }) => <Identifier>{code}</Identifier> },
  { title: 'Name', isName: true, cell: (organization) => <OrganizationLink {...organization} /> },
  { title: 'Type', cell: ({ type }) => inWords(type) },
  { title: 'Status', cell: ({ status }) => <StatusTag status={status} /> },
  { title: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
];

/** Insurers, pools, management companies and regulators. */
export function OrganizationsPage() {
  const filters = useFilters();
  const mayManage = useMay('organizations:manage');
  const read = useRead('listOrganizations', { query: filters.query }, { keepsEarlier: true });
  return (
    <div className="page">
      <div className="page-heading">
        <PageTitle title="Organizations" />
        <div className="buttons">
          <Link href="/pools" className="button">
            Pools
          </Link>
          {mayManage ? <CreateOrganization /> : null}
        </div>
      </div>
      <FilterBar filters={filters} error={read.error}>
        <InputFilter label="Code or name" {...filterProps(filters, 'text')} />
        <SelectFilter
          label="Type"
          any="Any type"
          options={ORGANIZATION_TYPES}
          words={wordsOf(ORGANIZATION_TYPES)}
          {...filterProps(filters, 'type')}
        />
        <SelectFilter
          label="Status"
          any="Any status"
          options={ORGANIZATION_STATUSES}
          words={wordsOf(ORGANIZATION_STATUSES)}
          {...filterProps(filters, 'status')}
        />
      </FilterBar>
      <List
        read={read}
        filters={filters}
        one="organization"
        nothingYet={<p>There are no organizations yet.</p>}
      >
        {(rows) => (
          <Table label="Organizations" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
        )}
      </List>
    </div>
  );
}
