import { Link } from 'wouter';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/values/when.tsx';
import { type RuleSet, shortId } from './rule-set.ts';

const COLUMNS: readonly Column<RuleSet>[] = [
  {
    title: 'Draft',
    cell: ({ id }) => (
      <Link href={`/rules/${id}`} className="identifier">
        {shortId(id)}
      </Link>
    ),
  },
  { title: 'Note', cell: ({ note }) => (note === null ? null : <bdi>{note}</bdi>) },
  { title: 'By', cell: ({ createdBy }) => <bdi>{createdBy}</bdi> },
  { title: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
];

export function Drafts({ drafts }: { drafts: readonly RuleSet[] }) {
  if (drafts.length === 0) return null;
  return <Table label="Drafts" columns={COLUMNS} rows={drafts} keyOf={({ id }) => id} />;
}
