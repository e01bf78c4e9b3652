import { Link } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { Timeline } from '../../ui/values/timeline.tsx';
import { inWords } from '../../words.ts';

/** What happened to the flag, the oldest first. */
export function FlagTimeline({
  evidence: { flag, events },
}: {
  evidence: DataOf<'readFlagEvidence'>;
}) {
  const raised = {
    key: 'raised',
    at: flag.createdAt,
    what: (
      <>
        Raised with record{' '}
        <Link href={`/records/${flag.registryReference}`} className="identifier">
          {flag.registryReference}
        </Link>
      </>
    ),
  };
  const others = events.map(({ at, action, actor, notes }) => ({
    key: `${at} ${action}`,
    at,
    what: (
      <>
        {inWords(action)} by <bdi>{actor.email ?? 'the registry'}</bdi>
      </>
    ),
    notes,
  }));
  return <Timeline events={[raised, ...others]} />;
}
