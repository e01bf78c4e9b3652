import { Link } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { Table } from '../../ui/table.tsx';
import { Identifier } from '../../ui/values/facts.tsx';
import { CoverageTag } from './coverage-tag.tsx';

type RecordItem = DataOf<'listRecords'>['items'][number];

const PLATES_SHOWN = 2;

export function RecordTable({ rows }: { rows: readonly RecordItem[] }) {
  return (
    <Table
      label="Records"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Record',
          cell: ({ registryReference: reference }) => (
            <Link href={`/records/${reference}`} className="identifier reference">
              {reference}
            </Link>
          ),
        },
        { title: 'Cover', cell: ({ coverageStatus }) => <CoverageTag status={coverageStatus} /> },
        { title: 'Plate numbers', cell: (record) => <Plates record={record} /> },
        { title: 'Policy', cell: (record) => <Identifier>{record.policyNumber}</Identifier> },
        { title: 'Certificate', cell: (record) => <Identifier>{record.cocNumber}</Identifier> },
        { title: 'Insurer', cell: ({ issuingInsurer }) => <bdi>{issuingInsurer.name}</bdi> },
        { title: 'Operator', cell: ({ operatorName }) => <bdi>{operatorName}</bdi> },
        { title: 'Region', cell: ({ region }) => region },
        { title: 'Effective', cell: ({ effectiveDate }) => <Day>{effectiveDate}</Day> },
        { title: 'Expires', cell: ({ expirationDate }) => <Day>{expirationDate}</Day> },
        { title: 'Open flags', isNumber: true, cell: ({ openFlagCount }) => openFlagCount },
      ]}
    />
  );
}

function Plates({ record: { plateNumbers, vehicleCount } }: { record: RecordItem }) {
  const shown = plateNumbers.slice(0, PLATES_SHOWN);
  const more = vehicleCount - shown.length;
  return (
    <>
      <Identifier>{shown.join(', ')}</Identifier>
      {more > 0 ? <span className="quiet"> and {more} more</span> : null}
    </>
  );
}

function Day({ children }: { children: string }) {
  return <span className="day">{children}</span>;
}
