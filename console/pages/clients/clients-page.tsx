import { CLIENT_STATUSES, SCOPES } from 'virtual:contract';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session-context.ts';
import { FilterBar, filterProps } from '../../ui/list/filter-bar.tsx';
import { InputFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { wordsOf } from '../../words.ts';
import { ClientList } from './client-list.tsx';
import { IssueClient } from './issue-client.tsx';

/** The programs of the organizations, and when each was last used. */
export function ClientsPage() {
  const filters = useFilters();
  const mayManage = useMay('clients:manage');
  const read = useRead('listClients', { query: filters.query }, { keepsEarlier: true });
  return (
    <div className="page">
      <div className="page-heading">
        <PageTitle title="API clients" />
        {mayManage ? <IssueClient /> : null}
      </div>
      <FilterBar filters={filters} error={read.error}>
        <InputFilter label="Name or client id" {...filterProps(filters, 'text')} />
        <SelectFilter
          label="Status"
          any="Any status"
          options={CLIENT_STATUSES}
          words={wordsOf(CLIENT_STATUSES)}
          {...filterProps(filters, 'status')}
        />
        <SelectFilter
          label="Scope"
          any="Any scope"
          options={SCOPES}
          {...filterProps(filters, 'scope')}
        />
      </FilterBar>
      <ClientList read={read} filters={filters} />
    </div>
  );
}
