import { ORGANIZATION_STATUSES } from 'virtual:contract';
import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session-context.ts';
import { FilterBar, filterProps } from '../../ui/list/filter-bar.tsx';
import { InputFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { wordsOf } from '../../words.ts';
import { CreatePool } from './create-pool.tsx';
import { PoolList } from './pool-list.tsx';

export function PoolsPage() {
  const filters = useFilters();
  const mayManage = useMay('organizations:manage');
  const read = useRead('listPools', { query: filters.query }, { keepsEarlier: true });
  return (
    <div className="page">
      <p>
        <Link href="/organizations">Organizations</Link>
      </p>
      <div className="page-heading">
        <PageTitle title="Pools" />
        {mayManage ? <CreatePool /> : null}
      </div>
      <FilterBar filters={filters} error={read.error}>
        <InputFilter label="Code or name" {...filterProps(filters, 'text')} />
        <SelectFilter
          label="Status"
          any="Any status"
          options={ORGANIZATION_STATUSES}
          words={wordsOf(ORGANIZATION_STATUSES)}
          {...filterProps(filters, 'status')}
        />
      </FilterBar>
      <PoolList read={read} filters={filters} nothingYet={<p>There are no pools yet.</p>} />
    </div>
  );
}
