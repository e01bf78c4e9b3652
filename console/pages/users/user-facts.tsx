import { Facts } from '../../ui/values/facts.tsx';
import { Tag } from '../../ui/values/tag.tsx';
import { When } from '../../ui/values/when.tsx';
import { ROLE_WORDS } from '../../words.ts';
import type { User } from './user.ts';

export function UserFacts({ user }: { user: User }) {
  const { role, mfaEnrolled, lockedUntil, lastSignedInAt, createdAt } = user;
  return (
    <Facts
      facts={[
        ['Role', ROLE_WORDS[role]],
        ['Second factor', mfaEnrolled ? 'enrolled' : 'not enrolled: it is due at the next sign-in'],
        ['Password', <PasswordFact key="password" user={user} />],
        ['Lock', lockedUntil === null ? 'not locked' : <Lock key="lock" until={lockedUntil} />],
        [
          'Last sign-in',
          lastSignedInAt === null ? 'never' : <When key="last" at={lastSignedInAt} />,
        ],
        ['Created', <When key="created" at={createdAt} isExact />],
      ]}
    />
  );
}

function PasswordFact({ user }: { user: User }) {
  const { passwordChangeDue, initialPasswordExpiresAt } = user;
  if (!passwordChangeDue) return 'chosen by the user';
  if (initialPasswordExpiresAt === null) return 'initial';
  return (
    <>
      initial, works until <When at={initialPasswordExpiresAt} isExact />
    </>
  );
}

function Lock({ until }: { until: string }) {
  return (
    <>
      <Tag tone="open">Locked</Tag> after failed sign-ins, until <When at={until} isExact />
    </>
  );
}
