import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { Diff } from '../../ui/diff/diff.tsx';
import { CopyButton } from '../../ui/values/copy-button.tsx';
import { Facts, Identifier } from '../../ui/values/facts.tsx';
import { When } from '../../ui/values/when.tsx';
import { countOf, inWords, ROLE_WORDS } from '../../words.ts';
import { pathOfObject } from './object-path.ts';

type Entry = DataOf<'listAudit'>['items'][number];

/** One audited action as a sentence. Opened, it shows what changed and where the request came from. */
export function AuditEntry({ entry }: { entry: Entry }) {
  const [isOpen, setIsOpen] = useState(false);
  const { at, action, target } = entry;
  return (
    <li>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          <span className="audit-what">
            <strong>{inWords(action)}</strong>{' '}
            <span className="quiet">{inWords(target.type).toLowerCase()}</span>{' '}
            {target.id === null ? null : <Identifier>{target.id}</Identifier>}
          </span>
          <span className="audit-who">
            <Actor entry={entry} />
          </span>
          <span className="quiet figure">
            <When at={at} />
          </span>
        </summary>
        {isOpen ? <Details entry={entry} /> : null}
      </details>
    </li>
  );
}

function Actor({ entry: { actor, repeats } }: { entry: Entry }): ReactNode {
  const who = actor.email ?? (actor.kind === 'COMMAND' ? 'A command' : 'Somebody not signed in');
  return (
    <>
      <bdi>{who}</bdi>{' '}
      <span className="quiet">
        {actor.role === null ? null : ROLE_WORDS[actor.role]}
        {repeats === 0 ? null : ` and ${countOf(repeats, 'more time')}`}
      </span>
    </>
  );
}

function Details({ entry }: { entry: Entry }) {
  const { sequence, at, actor, target, address, requestId, before, after, hash } = entry;
  const path = pathOfObject(target.type, target.id);
  const link = `/audit?${new URLSearchParams({ requestId })}`;
  return (
    <div className="audit-details">
      {before === null && after === null ? (
        <p className="quiet">The entry has no values.</p>
      ) : (
        <Diff before={before} after={after} />
      )}
      <Facts
        facts={[
          ['Time', <When key="at" at={at} isExact />],
          ['Entry', sequence.toLocaleString('en')],
          ['Address', <Identifier key="address">{address}</Identifier>],
          ['Request', <Identifier key="request">{requestId}</Identifier>],
          ['Hash', <Identifier key="hash">{hash}</Identifier>],
        ]}
      />
      <p className="audit-links">
        {path === undefined ? null : <Link href={path}>Open the object</Link>}
        {target.id === null ? null : (
          <Link
            href={`/audit?${new URLSearchParams({ targetType: target.type, targetId: target.id })}`}
          >
            All about this object
          </Link>
        )}
        {actor.id === null ? null : (
          <Link href={`/audit?${new URLSearchParams({ actorId: actor.id })}`}>
            All by this actor
          </Link>
        )}
        <Link href={link}>All of this request</Link>
        <span className="quiet">
          Link to this entry:{' '}
          <CopyButton text={`${location.origin}/console${link}`} what="link to this entry" />
        </span>
      </p>
    </div>
  );
}
