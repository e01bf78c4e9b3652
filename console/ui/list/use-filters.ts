import { useSearchParams } from 'wouter';

export interface Filters {
  /** What the list is asked for, by the names of the API. */
  readonly query: Readonly<Record<string, string>>;
  /** The search part of links that keep the filters: empty, or with its question mark. */
  readonly search: string;
  /** Changes one filter and goes back to the first page. */
  setFilter(name: string, value: string): void;
  /** Changes several filters at once; an empty value removes one. */
  setFilters(changes: Readonly<Record<string, string>>): void;
  setCursor(cursor: string | undefined): void;
  clear(): void;
}

/** The filters are in the URL and nowhere else, so that back, reload and a shared link show the same. */
export function useFilters(): Filters {
  const [params, setParams] = useSearchParams();
  const setFilters = (changes: Readonly<Record<string, string>>): void => {
    const next = new URLSearchParams(params);
    next.delete('cursor');
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    setParams(next);
  };
  return {
    query: Object.fromEntries(params),
    search: params.size === 0 ? '' : `?${params}`,
    setFilter: (name, value) => setFilters({ [name]: value }),
    setFilters,
    setCursor: (cursor) => setFilters({ cursor: cursor ?? '' }),
    clear: () => setParams(new URLSearchParams()),
  };
}

/** Parameters that choose the order or a page, and filter nothing. */
const NO_FILTERS = ['cursor', 'limit', 'order'];

export function hasFilters({ query }: Filters): boolean {
  return Object.keys(query).some((name) => !NO_FILTERS.includes(name));
}
