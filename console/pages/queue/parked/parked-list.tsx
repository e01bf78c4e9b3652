import { useState } from 'react';
import { Link } from 'wouter';
import type { DataOf } from '../../../api/contract.ts';
import { useRead } from '../../../api/queries.ts';
import { useMay } from '../../../session/session-context.ts';
import { List } from '../../../ui/list/list.tsx';
import type { Filters } from '../../../ui/list/use-filters.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { Identifier } from '../../../ui/values/facts.tsx';
import { When } from '../../../ui/values/when.tsx';
import { TRANSMISSION_KIND_WORDS } from '../../transmissions/transmission-words.ts';
import { SendAgain } from './send-again.tsx';

type Parked = DataOf<'listParked'>['items'][number];

const COLUMNS: readonly Column<Parked>[] = [
  {
    title: 'Transmission',
    cell: ({ transmissionReference }) => (
      <Link href={`/transmissions/${transmissionReference}?tab=processing`}>
        <Identifier>{transmissionReference}</Identifier>
      </Link>
    ),
  },
  { title: 'Kind', cell: ({ kind }) => TRANSMISSION_KIND_WORDS[kind] },
  { title: 'From', cell: ({ transmittingOrg }) => <Identifier>{transmittingOrg.code}</Identifier> },
  {
    title: 'Error',
    cell: ({ lastError }) => (
      <div className="wide-cell">
        <Identifier>{lastError}</Identifier>
      </div>
    ),
  },
  { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts.toLocaleString('en') },
  { title: 'Received', cell: ({ receivedAt }) => <When at={receivedAt} /> },
  { title: 'Parked', cell: ({ parkedAt }) => (parkedAt === null ? '–' : <When at={parkedAt} />) },
];

/** The longest parked first. */
export function ParkedList({ filters }: { filters: Filters }) {
  const [sent, setSent] = useState<string>();
  const read = useRead('listParked', { query: filters.query }, { keepsEarlier: true });
  const mayManage = useMay('queue:manage');
  const action: Column<Parked> = {
    title: 'Action',
    cell: ({ transmissionReference }) => (
      <SendAgain
        transmissionReference={transmissionReference}
        onSent={() => setSent(transmissionReference)}
      />
    ),
  };
  return (
    <section aria-labelledby="parked-list">
      <h2 id="parked-list">Transmissions</h2>
      <div role="status">
        {sent === undefined ? null : (
          <p className="alert alert-good">
            <Link href={`/transmissions/${sent}?tab=processing`}>{sent}</Link> is in the queue
            again.
          </p>
        )}
      </div>
      <List
        read={read}
        filters={filters}
        one="parked transmission"
        nothingYet="No transmission is parked."
      >
        {(rows) => (
          <Table
            label="Parked transmissions"
            columns={mayManage ? [...COLUMNS, action] : COLUMNS}
            rows={rows}
            keyOf={({ transmissionReference }) => transmissionReference}
          />
        )}
      </List>
    </section>
  );
}
