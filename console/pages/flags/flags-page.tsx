import { Link, useLocation, useParams } from 'wouter';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { useShortcuts } from '../../ui/keys/shortcuts.tsx';
import { withoutRefusedFilters } from '../../ui/list/filter-bar.tsx';
import { SavedViews } from '../../ui/list/saved-views.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { FlagDetail } from './flag-detail.tsx';
import { FlagFilterBar } from './flag-filter-bar.tsx';
import { FlagRows } from './flag-rows.tsx';
import { SAVABLE_FLAG_FILTERS } from './savable-filters.ts';
import { useFlagList } from './use-flag-list.ts';

/** The list of flags beside the one that is open; on a narrow window one or the other. */
export function FlagsPage() {
  const { flagId } = useParams<{ flagId?: string }>();
  const [, navigate] = useLocation();
  const filters = useFilters();
  const list = useFlagList(filters.query);
  const pathOf = (id: string): string => `/flags/${id}${filters.search}`;
  const index = list.rows.findIndex(({ id }) => id === flagId);
  const at = (position: number): string | undefined => {
    const id = list.rows[position]?.id;
    return id === undefined ? undefined : pathOf(id);
  };
  const [next, previous] = [at(index + 1), index < 0 ? undefined : at(index - 1)];
  const nextPage =
    list.nextCursor === null
      ? undefined
      : { label: 'Next page', path: pathOfPage(filters.query, list.nextCursor) };
  const open = (path: string | undefined): void => {
    if (path !== undefined) navigate(path);
  };
  useShortcuts({ j: () => open(next ?? nextPage?.path), k: () => open(previous) });

  return (
    <div className={flagId === undefined ? 'panes' : 'panes has-detail'}>
      <section className="pane pane-list" aria-label="Flags">
        {flagId === undefined ? <PageTitle title="Flags" /> : <p className="pane-title">Flags</p>}
        <FlagFilterBar filters={filters} error={list.error} />
        <SavedViews path="/flags" filters={filters} savable={SAVABLE_FLAG_FILTERS} />
        {list.rows.length === 0 ? (
          <ErrorAlert error={withoutRefusedFilters(filters, list.error)} onRetry={list.reload} />
        ) : null}
        <FlagRows list={list} filters={filters} openId={flagId} pathOf={pathOf} />
      </section>
      {flagId === undefined ? (
        <section className="pane pane-empty" aria-hidden>
          <p className="quiet">
            Choose a flag, or press <kbd>j</kbd> for the first one.
          </p>
        </section>
      ) : (
        <section className="pane pane-detail" aria-label="Flag">
          <p className="back">
            <Link href={`/flags${filters.search}`}>All flags</Link>
          </p>
          <FlagDetail
            key={flagId}
            flagId={flagId}
            next={next === undefined ? nextPage : { label: 'Next flag', path: next }}
            onChanged={list.replace}
          />
        </section>
      )}
    </div>
  );
}

function pathOfPage(query: Readonly<Record<string, string>>, cursor: string): string {
  return `/flags?${new URLSearchParams({ ...query, cursor })}`;
}
