import { Link, useParams } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session-context.ts';
import { Loaded } from '../../ui/object/loaded.tsx';
import { ObjectAudit } from '../../ui/object/object-audit.tsx';
import { StatusTag } from '../../ui/object/status-tag.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { User } from './user.ts';
import { UserActions } from './user-actions.tsx';
import { UserFacts } from './user-facts.tsx';

/** One account: role, second factor, lock, last sign-in, and who changed it. */
export function UserPage() {
  const { userId } = useParams<{ userId: string }>();
  const read = useRead('readUser', { params: { userId } });
  return (
    <div className="page" key={userId}>
      <p>
        <Link href="/users">Users</Link>
      </p>
      <Loaded read={read} noun="user">
        {(user) => <UserView user={user} />}
      </Loaded>
    </div>
  );
}

function UserView({ user }: { user: User }) {
  const mayManage = useMay('users:manage');
  const mayAudit = useMay('audit:read');
  const overview = { id: 'overview', title: 'Overview', content: () => <UserFacts user={user} /> };
  const history = {
    id: 'history',
    title: 'History',
    content: () => (
      <>
        <ObjectAudit targetId={user.id} />
        <p>
          <Link href={`/audit?actorId=${user.id}`}>What this user did</Link>
        </p>
      </>
    ),
  };
  return (
    <>
      <div className="page-heading">
        <PageTitle title={user.email}>
          <bdi>{user.email}</bdi> <StatusTag status={user.status} />
        </PageTitle>
        {mayManage ? <UserActions user={user} /> : null}
      </div>
      <Tabs label="User" tabs={[overview, ...(mayAudit ? [history] : [])]} />
    </>
  );
}
