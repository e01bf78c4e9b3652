import type { DataOf } from '../../api/contract.ts';
import { useRead } from '../../api/queries.ts';
import { List } from '../../ui/list/list.tsx';
import { useTabPages } from '../../ui/list/use-tab-pages.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { MembershipBars } from '../pools/memberships/membership-bars.tsx';
import { periodColumns } from '../pools/memberships/period-columns.tsx';
import { todayInRegistry } from '../pools/memberships/today.ts';
import { OrganizationLink } from './organization-link.tsx';

type OwnMembership = DataOf<'listMembershipsOfInsurer'>['items'][number];

/** The most that a list answers at once. */
const MEMBERSHIPS_MAX = 200;

const POOL: Column<OwnMembership> = {
  title: 'Pool',
  cell: ({ pool }) => <OrganizationLink {...pool} />,
};

/** The pools of an insurer, now and at other times. They begin and end on the page of the pool. */
export function OwnMemberships({ organizationId }: { organizationId: string }) {
  const pages = useTabPages();
  const read = useRead(
    'listMembershipsOfInsurer',
    { params: { organizationId }, query: { ...pages.query, limit: MEMBERSHIPS_MAX } },
    { keepsEarlier: true },
  );
  const today = todayInRegistry();
  return (
    <List
      read={read}
      filters={pages}
      one="membership"
      nothingYet={<p>It is not a member of a pool.</p>}
    >
      {(rows) => (
        <>
          <MembershipBars
            memberships={rows.map((row) => ({ ...row, party: row.pool }))}
            today={today}
          />
          <Table
            label="Memberships"
            columns={[POOL, ...periodColumns(today)]}
            rows={rows}
            keyOf={({ id }) => id}
          />
        </>
      )}
    </List>
  );
}
