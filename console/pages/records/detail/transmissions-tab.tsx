import { Link } from 'wouter';
import type { DataOf } from '../../../api/contract.ts';
import { useRead } from '../../../api/queries.ts';
import { FilterBar } from '../../../ui/list/filter-bar.tsx';
import { List } from '../../../ui/list/list.tsx';
import { Table } from '../../../ui/table.tsx';
import { Identifier } from '../../../ui/values/facts.tsx';
import { When } from '../../../ui/values/when.tsx';
import { inWords } from '../../../words.ts';
import { useTabFilters } from './use-tab-filters.ts';

/** The transmissions that created, changed or tried to change the record. */
export function TransmissionsTab({ record }: { record: DataOf<'readRecord'> }) {
  const { registryReference } = record;
  const filters = useTabFilters('transmissions');
  const request = { params: { registryReference }, query: filters.query };
  const read = useRead('listRecordTransmissions', request, { keepsEarlier: true });
  return (
    <>
      <FilterBar filters={filters} error={read.error}>
        {null}
      </FilterBar>
      <List read={read} filters={filters} one="transmission" nothingYet="There are none.">
        {(rows) => (
          <Table
            label="Transmissions"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Transmission',
                cell: ({ transmissionReference: reference }) => (
                  <TransmissionLink reference={reference} />
                ),
              },
              { title: 'Kind', cell: ({ kind }) => inWords(kind) },
              { title: 'Status', cell: ({ status }) => inWords(status) },
              {
                title: 'Error',
                cell: ({ errorCode }) => (errorCode === null ? '–' : <code>{errorCode}</code>),
              },
              { title: 'Channel', cell: ({ channel }) => inWords(channel) },
              {
                title: 'Transmitted by',
                cell: ({ transmittingOrg }) => <bdi>{transmittingOrg.name}</bdi>,
              },
              {
                title: 'Id of the sender',
                cell: (row) => <Identifier>{row.externalTransactionId}</Identifier>,
              },
              { title: 'Received', cell: ({ receivedAt }) => <When at={receivedAt} /> },
            ]}
          />
        )}
      </List>
    </>
  );
}

export function TransmissionLink({ reference }: { reference: string }) {
  return (
    <Link href={`/transmissions/${reference}`} className="identifier reference">
      {reference}
    </Link>
  );
}
