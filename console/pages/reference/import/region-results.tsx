import { type Column, Table } from '../../../ui/table.tsx';
import { Tag } from '../../../ui/values/tag.tsx';
import { explainRegion, type ReferenceImport } from '../import-words.ts';

type ImportedRegion = ReferenceImport['regions'][number];

export function RegionResults({ one }: { one: ReferenceImport }) {
  const columns: readonly Column<ImportedRegion>[] = [
    { title: 'Region', cell: ({ region }) => region },
    {
      title: 'Result',
      cell: ({ result }) =>
        result === 'REPLACED' ? <Tag tone="good">Replaced</Tag> : <Tag tone="open">Refused</Tag>,
    },
    { title: 'Lines', isNumber: true, cell: ({ rows }) => rows.toLocaleString('en') },
    { title: 'Errors', isNumber: true, cell: ({ errors }) => errors.toLocaleString('en') },
    {
      title: 'Why',
      cell: (region) => <p className="sentences">{explainRegion(region, one)}</p>,
    },
  ];
  return (
    <Table
      label="Result by region"
      columns={columns}
      rows={one.regions}
      keyOf={({ region }) => region}
    />
  );
}
