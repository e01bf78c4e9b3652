import { type Filters, useFilters } from './use-filters.ts';

/** The pages of a list without filters in a tab. The other parameters of the URL belong to the page around it. */
export function useTabPages(): Filters {
  const filters = useFilters();
  const { cursor } = filters.query;
  return { ...filters, query: cursor === undefined ? {} : { cursor } };
}
