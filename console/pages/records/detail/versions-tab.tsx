import { Link } from 'wouter';
import type { DataOf } from '../../../api/contract.ts';
import { useRead } from '../../../api/queries.ts';
import { FilterBar } from '../../../ui/list/filter-bar.tsx';
import { List } from '../../../ui/list/list.tsx';
import { Table } from '../../../ui/table.tsx';
import { When } from '../../../ui/values/when.tsx';
import { inWords } from '../../../words.ts';
import { CoverageTag } from '../coverage-tag.tsx';
import { TransmissionLink } from './transmissions-tab.tsx';
import { useTabFilters } from './use-tab-filters.ts';
import { VersionComparison } from './version-comparison.tsx';

type RecordDetail = DataOf<'readRecord'>;

export function VersionsTab({ record }: { record: RecordDetail }) {
  const { registryReference, currentVersion } = record;
  const filters = useTabFilters('versions');
  const request = { params: { registryReference }, query: filters.query };
  const read = useRead('listRecordVersions', request, { keepsEarlier: true });
  return (
    <>
      {currentVersion === 1 ? null : (
        <VersionComparison registryReference={registryReference} currentVersion={currentVersion} />
      )}
      <h2 className="part-title">All versions</h2>
      <FilterBar filters={filters} error={read.error}>
        {null}
      </FilterBar>
      <List read={read} filters={filters} one="version" nothingYet="There are none.">
        {(rows) => <VersionRows rows={rows} record={record} />}
      </List>
    </>
  );
}

type RecordVersion = DataOf<'listRecordVersions'>['items'][number];

function VersionRows({ rows, record }: { rows: readonly RecordVersion[]; record: RecordDetail }) {
  return (
    <Table
      label="Versions"
      rows={rows}
      keyOf={({ version }) => String(version)}
      columns={[
        { title: 'Version', isNumber: true, cell: ({ version }) => version },
        { title: 'Cover', cell: ({ coverageStatus }) => <CoverageTag status={coverageStatus} /> },
        { title: 'Since', cell: ({ createdAt }) => <When at={createdAt} /> },
        { title: 'Reason', cell: ({ version }) => <bdi>{reasonOf(record, version)}</bdi> },
        {
          title: 'Transmission',
          cell: (row) => <TransmissionLink reference={row.transmissionReference} />,
        },
        { title: 'By', cell: ({ actor }) => <bdi>{actor}</bdi> },
        { title: 'Channel', cell: ({ channel }) => inWords(channel) },
        {
          title: 'Changes',
          cell: ({ version }) =>
            version === 1 ? (
              '–'
            ) : (
              <Link href={`${comparisonPath(record, version)}`}>
                Compare<span className="hidden"> version {version} with the one before</span>
              </Link>
            ),
        },
      ]}
    />
  );
}

function reasonOf({ amendments }: RecordDetail, version: number): string {
  return amendments.find(({ toVersion }) => toVersion === version)?.reason ?? '–';
}

function comparisonPath({ registryReference }: RecordDetail, version: number): string {
  return `/records/${registryReference}?tab=versions&before=${version - 1}&after=${version}`;
}
