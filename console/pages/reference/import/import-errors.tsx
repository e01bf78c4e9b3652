import { REGIONS } from 'virtual:contract';
import { useState } from 'react';
import type { DataOf } from '../../../api/contract.ts';
import { downloadCsv } from '../../../api/download-csv.ts';
import { useRead } from '../../../api/queries.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { FilterBar, filterProps } from '../../../ui/list/filter-bar.tsx';
import { SelectFilter } from '../../../ui/list/filters.tsx';
import { List } from '../../../ui/list/list.tsx';
import { useFilters } from '../../../ui/list/use-filters.ts';
import { type Column, Table } from '../../../ui/table.tsx';

type ImportError = DataOf<'listReferenceImportErrors'>['items'][number];

const COLUMNS: readonly Column<ImportError>[] = [
  { title: 'Line', cell: ({ line }) => line.toLocaleString('en') },
  {
    title: 'Region',
    cell: ({ region }) => region ?? <span className="quiet">names none</span>,
  },
  {
    title: 'Column',
    cell: ({ field }) =>
      field === null ? <span className="quiet">the whole line</span> : <code>{field}</code>,
  },
  { title: 'Error', cell: ({ message }) => <p className="sentences">{message}</p> },
  { title: 'Code', cell: ({ code }) => <code>{code}</code> },
];

interface ImportErrorsProps {
  readonly importId: string;
  /** All errors, of which the registry keeps the first 10,000. */
  readonly errorCount: number;
}

export function ImportErrors({ importId, errorCount }: ImportErrorsProps) {
  const filters = useFilters();
  const request = { params: { importId }, query: filters.query };
  const read = useRead('listReferenceImportErrors', request, { keepsEarlier: true });
  const isCut =
    filters.query['region'] === undefined && (read.data?.total ?? errorCount) < errorCount;
  return (
    <>
      <FilterBar filters={filters} error={read.error}>
        <SelectFilter
          label="Region"
          any="Any region"
          options={REGIONS}
          {...filterProps(filters, 'region')}
        />
      </FilterBar>
      {isCut ? (
        <p className="quiet">
          The file has {errorCount.toLocaleString('en')} errors. Only the first{' '}
          {read.data?.total.toLocaleString('en')} are kept.
        </p>
      ) : null}
      <List
        read={read}
        filters={filters}
        one="error"
        nothingYet={<p>No errors are kept of this import.</p>}
        actions={<DownloadErrors request={request} />}
      >
        {(rows) => (
          <Table
            label="Errors by line"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ line, field, message }) => `${line} ${field} ${message}`}
          />
        )}
      </List>
    </>
  );
}

interface DownloadErrorsProps {
  readonly request: Parameters<typeof downloadCsv<'listReferenceImportErrors'>>[1];
}

/** All errors that match the filters, on all pages. The registry's audit log gets an entry. */
function DownloadErrors({ request }: DownloadErrorsProps) {
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const download = (): void => {
    if (isPending) return;
    setIsPending(true);
    setError(undefined);
    downloadCsv('listReferenceImportErrors', request, 'import-errors.csv')
      .catch(setError)
      .finally(() => setIsPending(false));
  };
  return (
    <div>
      <button type="button" aria-busy={isPending} aria-disabled={isPending} onClick={download}>
        Download the errors as CSV
      </button>
      <ErrorAlert error={error} />
    </div>
  );
}
