import type { DataOf } from '../../api/contract.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Identifier } from '../../ui/values/facts.tsx';
import { Tag } from '../../ui/values/tag.tsx';
import { When } from '../../ui/values/when.tsx';

type Worker = DataOf<'readQueue'>['workers'][number];

const COLUMNS: readonly Column<Worker>[] = [
  { title: 'Worker', cell: ({ id }) => <Identifier>{id}</Identifier> },
  {
    title: 'State',
    cell: ({ isAlive }) =>
      isAlive ? <Tag tone="good">Alive</Tag> : <Tag tone="neutral">No report</Tag>,
  },
  { title: 'Started', cell: ({ startedAt }) => <When at={startedAt} /> },
  { title: 'Last report', cell: ({ seenAt }) => <When at={seenAt} /> },
  {
    title: 'Last taken',
    cell: ({ lastTakenAt }) => (lastTakenAt === null ? '–' : <When at={lastTakenAt} />),
  },
  { title: 'Completed', isNumber: true, cell: ({ settled }) => settled.toLocaleString('en') },
  {
    title: 'Per second',
    isNumber: true,
    cell: ({ settledPerSecond }) =>
      settledPerSecond.toLocaleString('en', { maximumFractionDigits: 1 }),
  },
];

/** The workers of the last day. */
export function Workers({ workers }: { workers: readonly Worker[] }) {
  const isAnyAlive = workers.some(({ isAlive }) => isAlive);
  return (
    <section aria-labelledby="workers">
      <h2 id="workers">Workers</h2>
      {isAnyAlive ? null : (
        <p role="alert" className="alert alert-warning">
          <strong>No worker is alive.</strong> Transmissions are received, but not processed.
        </p>
      )}
      {workers.length === 0 ? null : (
        <Table label="Workers" columns={COLUMNS} rows={workers} keyOf={({ id }) => id} />
      )}
    </section>
  );
}
