import { FLAG_STATUSES } from 'virtual:contract';
import { Link } from 'wouter';
import type { DataOf } from '../../../api/contract.ts';
import { useRead } from '../../../api/queries.ts';
import { FilterBar, filterProps } from '../../../ui/list/filter-bar.tsx';
import { SelectFilter } from '../../../ui/list/filters.tsx';
import { List } from '../../../ui/list/list.tsx';
import { Table } from '../../../ui/table.tsx';
import { Identifier } from '../../../ui/values/facts.tsx';
import { FlagStatusTag } from '../../../ui/values/tag.tsx';
import { When } from '../../../ui/values/when.tsx';
import { FLAG_STATUS_WORDS, FLAG_TYPE_WORDS } from '../../../words.ts';
import { useTabFilters } from './use-tab-filters.ts';

export function FlagsTab({ record }: { record: DataOf<'readRecord'> }) {
  const { registryReference } = record;
  const filters = useTabFilters('flags');
  const request = { params: { registryReference }, query: filters.query };
  const read = useRead('listRecordFlags', request, { keepsEarlier: true });
  return (
    <>
      <FilterBar filters={filters} error={read.error}>
        <SelectFilter
          label="Status"
          any="Any status"
          options={FLAG_STATUSES}
          words={FLAG_STATUS_WORDS}
          {...filterProps(filters, 'status')}
        />
      </FilterBar>
      <List
        read={read}
        filters={filters}
        one="flag"
        nothingYet="No transmission about this record raised a flag."
      >
        {(rows) => (
          <Table
            label="Flags"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Flag',
                cell: ({ id, type }) => <Link href={`/flags/${id}`}>{FLAG_TYPE_WORDS[type]}</Link>,
              },
              { title: 'Status', cell: ({ status }) => <FlagStatusTag status={status} /> },
              {
                title: 'Plate number',
                cell: ({ plateNumber }) => <Identifier>{plateNumber}</Identifier>,
              },
              { title: 'Reason', cell: ({ message }) => message },
              { title: 'Raised', cell: ({ createdAt }) => <When at={createdAt} /> },
              { title: 'Reviewed by', cell: ({ reviewedBy }) => <bdi>{reviewedBy ?? '–'}</bdi> },
              { title: 'Notes', cell: ({ reviewNotes }) => <bdi>{reviewNotes ?? '–'}</bdi> },
            ]}
          />
        )}
      </List>
    </>
  );
}
