import { IMPORT_STATUSES, REGIONS } from 'virtual:contract';
import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { FilterBar, filterProps } from '../../ui/list/filter-bar.tsx';
import { SelectFilter } from '../../ui/list/filters.tsx';
import { List } from '../../ui/list/list.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/values/when.tsx';
import { ImportStatusTag } from './import-status-tag.tsx';
import { IMPORT_STATUS_WORDS, type ReferenceImport, sizeInWords } from './import-words.ts';

const COLUMNS: readonly Column<ReferenceImport>[] = [
  {
    title: 'Uploaded',
    cell: ({ id, uploadedAt }) => (
      <Link href={`/reference/imports/${id}`}>
        <When at={uploadedAt} />
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <ImportStatusTag status={status} /> },
  { title: 'By', cell: ({ uploadedBy }) => <bdi>{uploadedBy ?? 'the registry'}</bdi> },
  { title: 'Size', isNumber: true, cell: ({ fileBytes }) => sizeInWords(fileBytes) },
  { title: 'Lines', isNumber: true, cell: ({ rowsRead }) => rowsRead.toLocaleString('en') },
  { title: 'Errors', isNumber: true, cell: ({ errorCount }) => errorCount.toLocaleString('en') },
  { title: 'Regions', cell: ({ regions }) => regions.map(({ region }) => region).join(', ') },
];

export function ImportList() {
  const filters = useFilters();
  const read = useRead('listReferenceImports', { query: filters.query }, { keepsEarlier: true });
  return (
    <>
      <FilterBar filters={filters} error={read.error}>
        <SelectFilter
          label="Status"
          any="Any status"
          options={IMPORT_STATUSES}
          words={IMPORT_STATUS_WORDS}
          {...filterProps(filters, 'status')}
        />
        <SelectFilter
          label="Region"
          any="Any region"
          options={REGIONS}
          {...filterProps(filters, 'region')}
        />
      </FilterBar>
      <List
        read={read}
        filters={filters}
        one="import"
        nothingYet={<p>No file has been imported yet.</p>}
      >
        {(rows) => <Table label="Imports" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />}
      </List>
    </>
  );
}
