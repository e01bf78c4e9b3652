import { useSearchParams } from 'wouter';
import type { Filters } from '../../../ui/list/use-filters.ts';

/** The filters of the list in one tab. In the URL they begin with the name of the tab, so that each list of a page has its own. */
export function useTabFilters(tab: string): Filters {
  const [params, setParams] = useSearchParams();
  const prefix = `${tab}.`;
  const own = [...params].filter(([name]) => name.startsWith(prefix));
  const setFilters = (changes: Readonly<Record<string, string>>): void => {
    const next = new URLSearchParams(params);
    next.delete(`${prefix}cursor`);
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(`${prefix}${name}`);
      else next.set(`${prefix}${name}`, value);
    }
    setParams(next);
  };
  const query = Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
  return {
    query,
    search: params.size === 0 ? '' : `?${params}`,
    setFilter: (name, value) => setFilters({ [name]: value }),
    setFilters,
    setCursor: (cursor) => setFilters({ cursor: cursor ?? '' }),
    clear: () => setFilters(Object.fromEntries(Object.keys(query).map((name) => [name, '']))),
  };
}
