import { REGIONS } from 'virtual:contract';
import type { DataOf } from '../../../api/contract.ts';
import { useRead } from '../../../api/queries.ts';
import { FilterBar, filterProps } from '../../../ui/list/filter-bar.tsx';
import { InputFilter, SelectFilter } from '../../../ui/list/filters.tsx';
import { List } from '../../../ui/list/list.tsx';
import { useFilters } from '../../../ui/list/use-filters.ts';
import { PageTitle } from '../../../ui/page-title.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Identifier } from '../../../ui/values/facts.tsx';
import { Sections } from '../sections.tsx';

type Vehicle = DataOf<'listReferenceVehicles'>['items'][number];

const IDENTIFIERS = [
  ['plateNumber', 'Plate number'],
  ['mvFileNumber', 'MV file number'],
  ['engineNumber', 'Engine number'],
  ['chassisNumber', 'Chassis number'],
] as const;

const COLUMNS: readonly Column<Vehicle>[] = [
  { title: 'Region', cell: ({ region }) => region },
  ...IDENTIFIERS.map(([kind, title]) => ({
    title,
    cell: (vehicle: Vehicle) => <Identifier>{vehicle[kind]}</Identifier>,
  })),
];

/** The vehicles with which level 4 compares what is transmitted. */
export function ReferenceVehiclesPage() {
  const filters = useFilters();
  const read = useRead('listReferenceVehicles', { query: filters.query }, { keepsEarlier: true });
  return (
    <div className="page">
      <PageTitle title="Vehicles of the reference data" />
      <Sections />
      <FilterBar filters={filters} error={read.error}>
        <SelectFilter
          label="Region"
          any="Any region"
          options={REGIONS}
          {...filterProps(filters, 'region')}
        />
        {IDENTIFIERS.map(([kind, label]) => (
          <InputFilter key={kind} label={label} {...filterProps(filters, kind)} />
        ))}
      </FilterBar>
      <List
        read={read}
        filters={filters}
        one="vehicle"
        nothingYet={<p>There is no reference data yet. Import a file of it first.</p>}
      >
        {(rows) => (
          <Table
            label="Vehicles of the reference data"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </List>
    </div>
  );
}
