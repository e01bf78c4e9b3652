import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { ExportButton } from '../../ui/list/export-button.tsx';
import { List } from '../../ui/list/list.tsx';
import { SavedViews } from '../../ui/list/saved-views.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { RecordFilterBar } from './record-filter-bar.tsx';
import { RecordTable } from './record-table.tsx';
import { SAVABLE_RECORD_FILTERS } from './savable-filters.ts';

/** A search over the records of all organizations. */
export function RecordsPage() {
  const filters = useFilters();
  const request = { query: filters.query };
  const read = useRead('listRecords', request, { keepsEarlier: true });
  return (
    <div className="page">
      <div className="page-heading">
        <PageTitle title="Records" />
        <Link href="/vehicles">Find a vehicle</Link>
      </div>
      <RecordFilterBar filters={filters} error={read.error} />
      <SavedViews path="/records" filters={filters} savable={SAVABLE_RECORD_FILTERS} />
      <List
        read={read}
        filters={filters}
        actions={<ExportButton name="listRecords" request={request} fileName="records.csv" />}
        one="record"
        nothingYet="There are no records yet. The registry makes one when it accepts a transmission of an insurer."
      >
        {(rows) => <RecordTable rows={rows} />}
      </List>
    </div>
  );
}
