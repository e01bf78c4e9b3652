import { Link } from 'wouter';
import type { DataOf } from '../../../api/contract.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { countOf, inWords } from '../../../words.ts';
import { ChangedTransmissions } from './changed-transmissions.tsx';

type RuleSetTrial = DataOf<'tryRuleSet'>;
type Move = RuleSetTrial['moves'][number];
type ByCode = RuleSetTrial['byCode'][number];
type ByOrganization = RuleSetTrial['byOrganization'][number];

const CHANGE_WORDS = { ADDED: 'Added', REMOVED: 'Removed' } as const;
const KIND_WORDS = { FINDING: 'Finding', FLAG: 'Flag' } as const;

const MOVES: readonly Column<Move>[] = [
  { title: 'Now', cell: ({ from }) => inWords(from) },
  { title: 'With this rule set', cell: ({ to }) => inWords(to) },
  { title: 'Transmissions', isNumber: true, cell: ({ count }) => count.toLocaleString('en') },
];

const CODES: readonly Column<ByCode>[] = [
  { title: 'Code', cell: ({ code }) => <code>{code}</code> },
  { title: 'Kind', cell: ({ kind }) => KIND_WORDS[kind] },
  { title: 'Change', cell: ({ change }) => CHANGE_WORDS[change] },
  {
    title: 'Transmissions',
    isNumber: true,
    cell: ({ transmissions }) => transmissions.toLocaleString('en'),
  },
];

const ORGANIZATIONS: readonly Column<ByOrganization>[] = [
  {
    title: 'Organization',
    cell: ({ organization: { id, name } }) => (
      <Link href={`/organizations/${id}`}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { title: 'Code', cell: ({ organization: { code } }) => <code>{code}</code> },
  {
    title: 'Transmissions',
    isNumber: true,
    cell: ({ transmissions }) => transmissions.toLocaleString('en'),
  },
];

/** What would change: totals first, then each transmission. */
export function TrialResult({ trial }: { trial: RuleSetTrial }) {
  const { judged, changed, moves, byCode, byOrganization } = trial;
  return (
    <>
      <p className="reason" role="status">
        {judged === 0
          ? 'There are no transmissions to judge.'
          : changed.length === 0
            ? `None of the latest ${countOf(judged, 'transmission')} would get another verdict.`
            : `${changed.length} of the latest ${countOf(judged, 'transmission')} would get another verdict.`}
      </p>
      {changed.length === 0 ? null : (
        <>
          <div className="totals">
            {moves.length === 0 ? null : (
              <Table
                label="Other statuses"
                columns={MOVES}
                rows={moves}
                keyOf={({ from, to }) => `${from} ${to}`}
              />
            )}
            {byCode.length === 0 ? null : (
              <Table
                label="By code"
                columns={CODES}
                rows={byCode}
                keyOf={({ change, kind, code }) => `${change} ${kind} ${code}`}
              />
            )}
            <Table
              label="By organization"
              columns={ORGANIZATIONS}
              rows={byOrganization}
              keyOf={({ organization }) => organization.id}
            />
          </div>
          <ChangedTransmissions changed={changed} />
        </>
      )}
    </>
  );
}
