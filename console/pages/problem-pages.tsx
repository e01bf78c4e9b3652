import { Link } from 'wouter';
import { useSession } from '../session/session-context.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { ROLE_WORDS } from '../words.ts';

export function NotFound() {
  return (
    <div className="page-narrow">
      <PageTitle title="There is no such page" />
      <p>The link may be old or incomplete.</p>
      <p>
        <Link href="/">Go to the first page</Link>
      </p>
    </div>
  );
}

export function Forbidden() {
  const { session } = useSession();
  return (
    <div className="page-narrow">
      <PageTitle title="Your role does not include this page" />
      <p>
        You are signed in as {ROLE_WORDS[session.user.role].toLowerCase()}. An administrator can
        change your role.
      </p>
      <p>
        <Link href="/">Go to the first page</Link>
      </p>
    </div>
  );
}
