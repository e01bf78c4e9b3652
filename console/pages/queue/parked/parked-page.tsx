import { TRANSMISSION_KINDS } from 'virtual:contract';
import { Link } from 'wouter';
import { useRead } from '../../../api/queries.ts';
import { useMay } from '../../../session/session-context.ts';
import { DayFilter } from '../../../ui/list/day-filter.tsx';
import { FilterBar, filterProps } from '../../../ui/list/filter-bar.tsx';
import { InputFilter, SelectFilter } from '../../../ui/list/filters.tsx';
import { type Filters, useFilters } from '../../../ui/list/use-filters.ts';
import { PageTitle } from '../../../ui/page-title.tsx';
import { TRANSMISSION_KIND_WORDS } from '../../transmissions/transmission-words.ts';
import { ParkedGroups } from './parked-groups.tsx';
import { ParkedList } from './parked-list.tsx';
import { SendAllAgain } from './send-all-again.tsx';

/** Transmissions that were set aside after their last retry, and what sends them again. */
export function ParkedPage() {
  const filters = useFilters();
  const groups = useRead('groupParked', { query: filterOf(filters) }, { keepsEarlier: true });
  const mayManage = useMay('queue:manage');
  const total = groups.data?.total ?? 0;
  const isCurrent = groups.error === null && !groups.isPlaceholderData;
  return (
    <div className="page">
      <p>
        <Link href="/queue">Queue</Link>
      </p>
      <div className="page-heading">
        <PageTitle title="Parked transmissions" />
        {mayManage ? (
          <SendAllAgain filter={filterOf(filters)} total={isCurrent ? total : 0} />
        ) : null}
      </div>
      <p className="quiet">
        A transmission is parked after its last retry. It stays in progress, and its insurer waits
        for the outcome, until somebody sends it again. Remove the cause of the fault first.
      </p>
      <FilterBar filters={filters} error={groups.error}>
        <InputFilter label="Part of the error" {...filterProps(filters, 'lastError')} />
        <SelectFilter
          label="Kind"
          any="Any kind"
          options={TRANSMISSION_KINDS}
          words={TRANSMISSION_KIND_WORDS}
          {...filterProps(filters, 'kind')}
        />
        <InputFilter label="Organization code" {...filterProps(filters, 'organizationCode')} />
        <DayFilter filters={filters} label="Parked from" name="parkedFrom" />
        <DayFilter filters={filters} label="Parked to" name="parkedTo" isEnd />
      </FilterBar>
      {total === 0 ? null : (
        <ParkedGroups groups={groups.data?.groups ?? []} setFilter={filters.setFilter} />
      )}
      <ParkedList filters={filters} />
    </div>
  );
}

/** The filters without the page of the list. */
function filterOf({ query: { cursor: _cursor, limit: _limit, ...filter } }: Filters) {
  return filter;
}
