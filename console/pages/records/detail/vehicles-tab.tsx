import { Link } from 'wouter';
import type { DataOf } from '../../../api/contract.ts';
import { useRead } from '../../../api/queries.ts';
import { FilterBar, filterProps } from '../../../ui/list/filter-bar.tsx';
import { SelectFilter } from '../../../ui/list/filters.tsx';
import { List } from '../../../ui/list/list.tsx';
import { Table } from '../../../ui/table.tsx';
import { IDENTIFIER_WORDS, inWords } from '../../../words.ts';
import { makeAndModel } from '../../vehicles/make-and-model.ts';
import { useTabFilters } from './use-tab-filters.ts';

type RecordVehicle = DataOf<'listRecordVehicles'>['items'][number];
type Kind = keyof typeof IDENTIFIER_WORDS;

const REMOVED_WORDS = { false: 'On the record', true: 'Removed' } as const;

/** Page by page: a record may have hundreds of vehicles. */
export function VehiclesTab({ record }: { record: DataOf<'readRecord'> }) {
  const { registryReference } = record;
  const filters = useTabFilters('vehicles');
  const request = { params: { registryReference }, query: filters.query };
  const read = useRead('listRecordVehicles', request, { keepsEarlier: true });
  return (
    <>
      <FilterBar filters={filters} error={read.error}>
        <SelectFilter
          label="On the record"
          any="Present and removed"
          options={['false', 'true']}
          words={REMOVED_WORDS}
          {...filterProps(filters, 'removed')}
        />
      </FilterBar>
      <List read={read} filters={filters} one="vehicle" nothingYet="The record has no vehicles.">
        {(rows) => <VehicleRows rows={rows} />}
      </List>
    </>
  );
}

function VehicleRows({ rows }: { rows: readonly RecordVehicle[] }) {
  return (
    <Table
      label="Vehicles"
      rows={rows}
      keyOf={({ vehicle, addedInVersion }) => `${vehicle.id} ${addedInVersion}`}
      columns={[
        {
          title: IDENTIFIER_WORDS.plateNumber,
          cell: (row) => (
            <>
              <Link href={`/vehicles/${row.vehicle.id}`} className="identifier">
                {row.vehicle.plateNumber}
              </Link>
              <AsTransmitted row={row} kind="plateNumber" />
            </>
          ),
        },
        identifierColumn('mvFileNumber'),
        identifierColumn('engineNumber'),
        identifierColumn('chassisNumber'),
        {
          title: 'Make and model',
          cell: ({ vehicle }) => makeAndModel(vehicle) ?? '–',
        },
        { title: 'Type', cell: ({ vehicle }) => inWords(vehicle.vehicleType) },
        { title: 'Denomination', cell: ({ vehicle }) => vehicle.denomination },
        { title: 'Region', cell: ({ vehicle }) => vehicle.region },
        {
          title: 'Reference data',
          cell: ({ refMatchResult }) => (refMatchResult === null ? '–' : inWords(refMatchResult)),
        },
        { title: 'Added in version', isNumber: true, cell: (row) => row.addedInVersion },
        { title: 'Removed in version', isNumber: true, cell: (row) => row.removedInVersion ?? '–' },
      ]}
    />
  );
}

function identifierColumn(kind: Kind) {
  return {
    title: IDENTIFIER_WORDS[kind],
    cell: (row: RecordVehicle) => (
      <>
        <bdi className="identifier">{row.vehicle[kind]}</bdi>
        <AsTransmitted row={row} kind={kind} />
      </>
    ),
  };
}

/** What the insurer wrote, where the registry writes it in another way. */
function AsTransmitted({ row, kind }: { row: RecordVehicle; kind: Kind }) {
  const sent = row.transmitted[kind];
  return sent === row.vehicle[kind] ? null : (
    <span className="as-transmitted">
      sent as <bdi>{sent}</bdi>
    </span>
  );
}
