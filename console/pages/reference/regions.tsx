import { REGIONS } from 'virtual:contract';
import { Link } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { useRead } from '../../api/queries.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/values/when.tsx';

type Region = DataOf<'listReferenceRegions'>['items'][number];

const DAY_MS = 86_400_000;

const COLUMNS: readonly Column<Region>[] = [
  {
    title: 'Region',
    cell: ({ region }) => <Link href={`/reference/vehicles?region=${region}`}>{region}</Link>,
  },
  { title: 'Vehicles', isNumber: true, cell: ({ vehicles }) => vehicles.toLocaleString('en') },
  { title: 'Imported', cell: ({ importedAt }) => <When at={importedAt} /> },
  { title: 'Age in days', isNumber: true, cell: ({ importedAt }) => ageInDays(importedAt) },
];

export function Regions() {
  const { data, error, refetch } = useRead('listReferenceRegions', {});
  const alert = <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return error === null ? <p className="loading">Loading the regions…</p> : alert;
  const missing = REGIONS.filter((name) => data.items.every(({ region }) => region !== name));
  return (
    <>
      {alert}
      {data.items.length === 0 ? null : (
        <div className="compact">
          <Table
            label="Regions with reference data"
            columns={COLUMNS}
            rows={data.items}
            keyOf={({ region }) => region}
          />
        </div>
      )}
      {missing.length === 0 ? null : (
        <p className="quiet">
          {missing.length === REGIONS.length
            ? 'No region has reference data. Level 4 compares nothing until a file is imported.'
            : `Without reference data: ${missing.join(', ')}. Level 4 compares nothing there.`}
        </p>
      )}
    </>
  );
}

function ageInDays(importedAt: string): string {
  return Math.max(0, Math.floor((Date.now() - Date.parse(importedAt)) / DAY_MS)).toLocaleString(
    'en',
  );
}
