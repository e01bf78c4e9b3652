import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Freshness } from '../../ui/freshness.tsx';
import { ExportButton } from '../../ui/list/export-button.tsx';
import { NoRows } from '../../ui/list/no-rows.tsx';
import { Pager } from '../../ui/list/pager.tsx';
import type { Filters } from '../../ui/list/use-filters.ts';
import { FlagStatusTag } from '../../ui/values/tag.tsx';
import { countOf, FLAG_TYPE_WORDS } from '../../words.ts';
import type { Flag } from './flag-query.ts';
import type { FlagList } from './use-flag-list.ts';

interface FlagRowsProps {
  readonly list: FlagList;
  readonly filters: Filters;
  readonly openId: string | undefined;
  readonly pathOf: (flagId: string) => string;
}

export function FlagRows({ list, filters, openId, pathOf }: FlagRowsProps) {
  const { rows, total, newCount, nextCursor, isLoading, error, reload } = list;
  if (rows.length === 0) {
    if (isLoading) return <p className="loading">Loading flags…</p>;
    return error === null ? (
      <NoRows
        filters={filters}
        noun="flags"
        nothingYet="There are no flags yet. The registry raises one when a transmission needs a person to look at it."
      />
    ) : null;
  }
  return (
    <>
      <div className="list-status">
        <p role="status">{countOf(total, 'flag')}</p>
        {newCount === 0 ? null : (
          <button type="button" className="link" onClick={reload}>
            {countOf(newCount, 'new flag')} – show
          </button>
        )}
        <Freshness
          updatedAt={list.updatedAt}
          error={list.pollError}
          isPaused={list.isPaused}
          onPause={list.pause}
        />
      </div>
      <ul className="flag-rows" aria-busy={isLoading}>
        {rows.map((flag) => (
          <FlagRow
            key={flag.id}
            flag={flag}
            isOpen={flag.id === openId}
            isDecided={filters.query['status'] === 'OPEN' && flag.status !== 'OPEN'}
            path={pathOf(flag.id)}
          />
        ))}
      </ul>
      <ExportButton name="listFlags" request={{ query: filters.query }} fileName="flags.csv" />
      <Pager filters={filters} nextCursor={nextCursor} />
    </>
  );
}

interface FlagRowProps {
  readonly flag: Flag;
  readonly isOpen: boolean;
  readonly isDecided: boolean;
  readonly path: string;
}

function FlagRow({ flag, isOpen, isDecided, path }: FlagRowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <li ref={row}>
      <Link
        href={path}
        className={isDecided ? 'flag-row is-decided' : 'flag-row'}
        aria-current={isOpen ? 'true' : undefined}
      >
        <span className="flag-row-main">
          <span>{FLAG_TYPE_WORDS[flag.type]}</span>
          <bdi className="identifier">{flag.plateNumber ?? flag.registryReference}</bdi>
        </span>
        <span className="flag-row-more">
          <span className="flag-row-insurer">
            <bdi>{flag.insurerName}</bdi>, {flag.region}
          </span>
          {flag.status === 'OPEN' ? (
            <span className="figure">
              {flag.ageDays === 0 ? 'today' : countOf(flag.ageDays, 'day')}
            </span>
          ) : (
            <FlagStatusTag status={flag.status} />
          )}
        </span>
      </Link>
    </li>
  );
}
