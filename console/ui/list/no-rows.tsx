import type { ReactNode } from 'react';
import { type Filters, hasFilters } from './use-filters.ts';

interface NoRowsProps {
  readonly filters: Filters;
  /** In the plural: "flags". */
  readonly noun: string;
  /** What to show when there is nothing at all: why, and the first action. */
  readonly nothingYet: ReactNode;
}

/** Tells "nothing matches these filters" from "nothing here yet". */
export function NoRows({ filters, noun, nothingYet }: NoRowsProps) {
  if (!hasFilters(filters))
    return (
      <div className="empty" role="status">
        {nothingYet}
      </div>
    );
  return (
    <div className="empty">
      <p role="status">No {noun} match these filters.</p>
      <button type="button" onClick={filters.clear}>
        Clear the filters
      </button>
    </div>
  );
}
