import { IDENTIFIER_KINDS } from 'virtual:contract';
import { Link } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { useRead } from '../../api/queries.ts';
import { FilterBar, filterProps } from '../../ui/list/filter-bar.tsx';
import { InputFilter } from '../../ui/list/filters.tsx';
import { List } from '../../ui/list/list.tsx';
import { hasFilters, useFilters } from '../../ui/list/use-filters.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { Table } from '../../ui/table.tsx';
import { IDENTIFIER_WORDS, inWords } from '../../words.ts';
import { makeAndModel } from './make-and-model.ts';

/** A search by identifiers that a vehicle has or had. The registry does not list all vehicles. */
export function VehiclesPage() {
  const filters = useFilters();
  const isEnabled = hasFilters(filters);
  const read = useRead(
    'listVehicles',
    { query: filters.query },
    { keepsEarlier: isEnabled, isEnabled },
  );
  return (
    <div className="page">
      <PageTitle title="Vehicles" />
      <FilterBar filters={filters} error={read.error}>
        <InputFilter label="Any identifier" {...filterProps(filters, 'identifier')} />
        {IDENTIFIER_KINDS.map((kind) => (
          <InputFilter key={kind} label={IDENTIFIER_WORDS[kind]} {...filterProps(filters, kind)} />
        ))}
      </FilterBar>
      {isEnabled ? (
        <List read={read} filters={filters} one="vehicle" nothingYet="There are no vehicles yet.">
          {(rows) => <VehicleTable rows={rows} />}
        </List>
      ) : (
        <p className="empty">
          Type an identifier that the vehicle has or had. Spaces, hyphens and case do not count.
        </p>
      )}
    </div>
  );
}

type VehicleItem = DataOf<'listVehicles'>['items'][number];

function VehicleTable({ rows }: { rows: readonly VehicleItem[] }) {
  return (
    <Table
      label="Vehicles"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: IDENTIFIER_WORDS.plateNumber,
          cell: ({ id, plateNumber }) => (
            <Link href={`/vehicles/${id}`} className="identifier">
              {plateNumber}
            </Link>
          ),
        },
        ...(['mvFileNumber', 'engineNumber', 'chassisNumber'] as const).map((kind) => ({
          title: IDENTIFIER_WORDS[kind],
          cell: (row: VehicleItem) => <bdi className="identifier">{row[kind]}</bdi>,
        })),
        { title: 'Make and model', cell: (row) => makeAndModel(row) ?? '–' },
        { title: 'Type', cell: ({ vehicleType }) => inWords(vehicleType) },
        { title: 'Denomination', cell: ({ denomination }) => denomination },
        { title: 'Covers', isNumber: true, cell: ({ coverCount }) => coverCount },
      ]}
    />
  );
}
