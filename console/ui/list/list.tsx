import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { countOf } from '../../words.ts';
import { ErrorAlert } from '../error-alert.tsx';
import { withoutRefusedFilters } from './filter-bar.tsx';
import { NoRows } from './no-rows.tsx';
import { Pager } from './pager.tsx';
import type { Filters } from './use-filters.ts';

interface PageOf<Row> {
  readonly items: readonly Row[];
  readonly nextCursor?: string | null;
  readonly total?: number;
}

interface ListProps<Row> {
  /** From `useRead(…, { keepsEarlier: true })`, so that the earlier rows stay while others are loading. */
  readonly read: UseQueryResult<PageOf<Row>>;
  readonly filters: Filters;
  readonly one: string;
  readonly several?: string;
  readonly nothingYet: ReactNode;
  /** Beside the count, such as an export. */
  readonly actions?: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** One page of a list in each of its states: loading, empty, failed, and with rows. */
export function List<Row>({
  read: { data, error, isFetching, refetch },
  filters,
  one,
  several = `${one}s`,
  nothingYet,
  actions,
  children,
}: ListProps<Row>) {
  const alert = (
    <ErrorAlert error={withoutRefusedFilters(filters, error)} onRetry={() => void refetch()} />
  );
  if (data === undefined)
    return error === null ? <p className="loading">Loading {several}…</p> : alert;
  const { items, total, nextCursor = null } = data;
  return (
    <>
      {alert}
      {items.length === 0 ? (
        <NoRows filters={filters} noun={several} nothingYet={nothingYet} />
      ) : (
        <>
          <div className="list-status">
            <p role="status">
              {total === undefined
                ? `${countOf(items.length, one, several)} on this page`
                : countOf(total, one, several)}
            </p>
            {actions}
          </div>
          <div aria-busy={isFetching}>{children(items)}</div>
        </>
      )}
      <Pager filters={filters} nextCursor={nextCursor} />
    </>
  );
}
