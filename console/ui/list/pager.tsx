import type { Filters } from './use-filters.ts';

/** Nothing for a list of one page. */
export function Pager({ filters, nextCursor }: { filters: Filters; nextCursor: string | null }) {
  const isFirst = filters.query['cursor'] === undefined;
  if (isFirst && nextCursor === null) return null;
  return (
    <div className="pager">
      {isFirst ? null : (
        <button type="button" onClick={() => filters.setCursor(undefined)}>
          First page
        </button>
      )}
      {nextCursor === null ? null : (
        <button type="button" onClick={() => filters.setCursor(nextCursor)}>
          Next page
        </button>
      )}
    </div>
  );
}
