import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { ExportButton } from '../../ui/list/export-button.tsx';
import { List } from '../../ui/list/list.tsx';
import { SavedViews } from '../../ui/list/saved-views.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Identifier } from '../../ui/values/facts.tsx';
import { When } from '../../ui/values/when.tsx';
import { SAVABLE_TRANSMISSION_FILTERS } from './savable-filters.ts';
import { TransmissionFilterBar } from './transmission-filter-bar.tsx';
import { TransmissionStatusTag } from './transmission-status-tag.tsx';
import { TRANSMISSION_KIND_WORDS, type TransmissionItem } from './transmission-words.ts';

const COLUMNS: readonly Column<TransmissionItem>[] = [
  {
    title: 'Transmission',
    cell: ({ transmissionReference }) => (
      <Link href={`/transmissions/${transmissionReference}`}>
        <Identifier>{transmissionReference}</Identifier>
      </Link>
    ),
  },
  {
    title: 'Status',
    cell: (transmission) => (
      <>
        <TransmissionStatusTag transmission={transmission} />
        {transmission.errorCode === null ? null : (
          <p className="quiet cell-note">
            <code>{transmission.errorCode}</code>
          </p>
        )}
      </>
    ),
  },
  { title: 'Kind', cell: ({ kind }) => TRANSMISSION_KIND_WORDS[kind] },
  { title: 'From', cell: ({ transmittingOrg }) => <Identifier>{transmittingOrg.code}</Identifier> },
  {
    title: 'External transaction id',
    cell: ({ externalTransactionId }) => <Identifier>{externalTransactionId}</Identifier>,
  },
  { title: 'Policy', cell: ({ policyNumber }) => <Identifier>{policyNumber}</Identifier> },
  { title: 'Certificate', cell: ({ cocNumber }) => <Identifier>{cocNumber}</Identifier> },
  { title: 'Plate numbers', cell: (transmission) => <PlateNumbers {...transmission} /> },
  { title: 'Received', cell: ({ receivedAt }) => <When at={receivedAt} /> },
];

/** Transmissions of all organizations, the newest first. */
export function TransmissionsPage() {
  const filters = useFilters();
  const request = { query: filters.query };
  const read = useRead('listTransmissions', request, { keepsEarlier: true });
  return (
    <div className="page">
      <PageTitle title="Transmissions" />
      <TransmissionFilterBar filters={filters} error={read.error} />
      <SavedViews path="/transmissions" filters={filters} savable={SAVABLE_TRANSMISSION_FILTERS} />
      <List
        read={read}
        filters={filters}
        actions={
          <ExportButton name="listTransmissions" request={request} fileName="transmissions.csv" />
        }
        one="transmission"
        nothingYet="No organization has transmitted anything yet."
      >
        {(rows) => (
          <Table
            label="Transmissions"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ transmissionReference }) => transmissionReference}
          />
        )}
      </List>
    </div>
  );
}

const PLATES_SHOWN = 2;

function PlateNumbers({
  plateNumbers,
  vehicleCount,
}: Pick<TransmissionItem, 'plateNumbers' | 'vehicleCount'>) {
  if (plateNumbers.length === 0) return <Identifier>{null}</Identifier>;
  const more = vehicleCount - PLATES_SHOWN;
  return (
    <>
      <Identifier>{plateNumbers.slice(0, PLATES_SHOWN).join(', ')}</Identifier>
      {more > 0 ? <span className="quiet"> and {more.toLocaleString('en')} more</span> : null}
    </>
  );
}
