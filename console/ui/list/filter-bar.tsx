import type { ReactNode } from 'react';
import { isApiError, messagesOf } from '../../api/errors.ts';
import { RefusedFilter } from './filters.tsx';
import type { Filters } from './use-filters.ts';

interface FilterBarProps {
  readonly filters: Filters;
  /** The error of the list. A parameter that it names can be removed, also one that the page does not offer. */
  readonly error: unknown;
  /** The fields, with `filterProps`. */
  readonly children: ReactNode;
}

export function FilterBar({ filters: { query, setFilter }, error, children }: FilterBarProps) {
  const refused = Object.entries(query).filter(([name]) => messagesOf(error, name).length > 0);
  return (
    <search className="filters">
      {children}
      {refused.map(([name, value]) => (
        <RefusedFilter
          key={name}
          name={name}
          value={value}
          message={messagesOf(error, name).join(' ')}
          onRemove={() => setFilter(name, '')}
        />
      ))}
    </search>
  );
}

/** Nothing when the filter bar itself says all that the error does. */
export function withoutRefusedFilters({ query }: Filters, error: unknown): unknown {
  const isSaid =
    isApiError(error, 'VALIDATION_FAILED') &&
    error.details.length > 0 &&
    error.details.every(({ field }) => field !== null && field in query);
  return isSaid ? undefined : error;
}

/** The value of one field of a filter bar, and what changes it. */
export function filterProps({ query, setFilter }: Filters, name: string) {
  return {
    value: query[name] ?? '',
    onChange: (value: string) => setFilter(name, value),
  };
}
