import { ROLES, USER_STATUSES } from 'virtual:contract';
import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session-context.ts';
import { FilterBar, filterProps } from '../../ui/list/filter-bar.tsx';
import { SelectFilter } from '../../ui/list/filters.tsx';
import { List } from '../../ui/list/list.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { StatusTag } from '../../ui/object/status-tag.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/values/when.tsx';
import { ROLE_WORDS, wordsOf } from '../../words.ts';
import { CreateUser } from './create-user.tsx';
import type { User } from './user.ts';

const COLUMNS: readonly Column<User>[] = [
  {
    title: 'User',
    cell: ({ id, email }) => (
      <Link href={`/users/${id}`}>
        <bdi>{email}</bdi>
      </Link>
    ),
  },
  { title: 'Role', cell: ({ role }) => ROLE_WORDS[role] },
  { title: 'Status', cell: ({ status }) => <StatusTag status={status} /> },
  {
    title: 'Second factor',
    cell: ({ mfaEnrolled }) => (mfaEnrolled ? 'enrolled' : 'not enrolled'),
  },
  {
    title: 'Locked until',
    cell: ({ lockedUntil }) => (lockedUntil === null ? null : <When at={lockedUntil} isExact />),
  },
  {
    title: 'Last sign-in',
    cell: ({ lastSignedInAt }) =>
      lastSignedInAt === null ? <span className="quiet">never</span> : <When at={lastSignedInAt} />,
  },
];

/** The accounts of the regulator's staff. Filters are in the URL, so there is none for the address of a person. */
export function UsersPage() {
  const filters = useFilters();
  const mayManage = useMay('users:manage');
  const read = useRead('listUsers', { query: filters.query }, { keepsEarlier: true });
  return (
    <div className="page">
      <div className="page-heading">
        <PageTitle title="Users" />
        {mayManage ? <CreateUser /> : null}
      </div>
      <FilterBar filters={filters} error={read.error}>
        <SelectFilter
          label="Role"
          any="Any role"
          options={ROLES}
          words={ROLE_WORDS}
          {...filterProps(filters, 'role')}
        />
        <SelectFilter
          label="Status"
          any="Any status"
          options={USER_STATUSES}
          words={wordsOf(USER_STATUSES)}
          {...filterProps(filters, 'status')}
        />
      </FilterBar>
      <List read={read} filters={filters} one="user" nothingYet={<p>There are no users yet.</p>}>
        {(rows) => <Table label="Users" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />}
      </List>
    </div>
  );
}
