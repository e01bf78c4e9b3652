import { useRead } from '../../../api/queries.ts';
import { useMay } from '../../../session/session-context.ts';
import { List } from '../../../ui/list/list.tsx';
import { useTabPages } from '../../../ui/list/use-tab-pages.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { OrganizationLink } from '../../organizations/organization-link.tsx';
import type { Membership } from '../pool.ts';
import { AddMembership } from './add-membership.tsx';
import { EndMembership } from './end-membership.tsx';
import { MembershipBars } from './membership-bars.tsx';
import { periodColumns } from './period-columns.tsx';
import { todayInRegistry } from './today.ts';

/** The most that a list answers at once. */
const MEMBERSHIPS_MAX = 200;

/** The members of a pool, now and at other times. */
export function Memberships({ poolId }: { poolId: string }) {
  const filters = useTabPages();
  const mayManage = useMay('organizations:manage');
  const read = useRead(
    'listMemberships',
    { params: { poolId }, query: { ...filters.query, limit: MEMBERSHIPS_MAX } },
    { keepsEarlier: true },
  );
  const today = todayInRegistry();
  return (
    <>
      {mayManage ? <AddMembership poolId={poolId} today={today} /> : null}
      <List
        read={read}
        filters={filters}
        one="membership"
        nothingYet={<p>The pool has no members yet.</p>}
      >
        {(rows) => (
          <>
            <MembershipBars
              memberships={rows.map((row) => ({ ...row, party: row.insurer }))}
              today={today}
            />
            <Table
              label="Memberships"
              columns={columnsOf(poolId, today, mayManage)}
              rows={rows}
              keyOf={({ id }) => id}
            />
          </>
        )}
      </List>
    </>
  );
}

function columnsOf(poolId: string, today: string, mayManage: boolean): Column<Membership>[] {
  const actions: Column<Membership> = {
    title: 'Actions',
    cell: (membership) => <EndMembership poolId={poolId} membership={membership} />,
  };
  return [
    { title: 'Insurer', cell: ({ insurer }) => <OrganizationLink {...insurer} /> },
    ...periodColumns(today),
    ...(mayManage ? [actions] : []),
  ];
}
