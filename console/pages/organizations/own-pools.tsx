import { useRead } from '../../api/queries.ts';
import { useTabPages } from '../../ui/list/use-tab-pages.ts';
import { PoolList } from '../pools/pool-list.tsx';
import type { Organization } from './organization.ts';

/** The pools that the organization leads or manages. The members of a pool are on the page of the pool. */
export function OwnPools({ organization: { id, type } }: { organization: Organization }) {
  const filters = useTabPages();
  const role = type === 'MANAGEMENT_COMPANY' ? 'managementCompanyId' : 'leadInsurerId';
  const read = useRead(
    'listPools',
    { query: { [role]: id, ...filters.query } },
    { keepsEarlier: true },
  );
  return (
    <PoolList
      read={read}
      filters={filters}
      nothingYet={
        <p>{type === 'MANAGEMENT_COMPANY' ? 'It manages no pool.' : 'It leads no pool.'}</p>
      }
    />
  );
}
