import { Link } from 'wouter';
import type { DataOf } from '../../../api/contract.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { When } from '../../../ui/values/when.tsx';
import { inWords } from '../../../words.ts';

type Tried = DataOf<'tryRuleSet'>['changed'][number];
type Verdict = Tried['present'];

const COLUMNS: readonly Column<Tried>[] = [
  {
    title: 'Transmission',
    cell: ({ transmissionReference }) => (
      <Link href={`/transmissions/${transmissionReference}`} className="identifier">
        {transmissionReference}
      </Link>
    ),
  },
  { title: 'Organization', cell: ({ transmittingOrg }) => <bdi>{transmittingOrg.name}</bdi> },
  { title: 'Received', cell: ({ receivedAt }) => <When at={receivedAt} /> },
  { title: 'Stored as', cell: ({ recordedStatus }) => inWords(recordedStatus) },
  { title: 'In force', cell: ({ present }) => <VerdictCell verdict={present} /> },
  { title: 'This rule set', cell: ({ tried }) => <VerdictCell verdict={tried} /> },
  { title: 'Why', cell: ({ differences }) => <Differences differences={differences} /> },
];

/** Each transmission that would get another verdict, the latest first. */
export function ChangedTransmissions({ changed }: { changed: readonly Tried[] }) {
  return (
    <Table
      label="Transmissions with another verdict"
      columns={COLUMNS}
      rows={changed}
      keyOf={({ transmissionReference }) => transmissionReference}
    />
  );
}

function VerdictCell({ verdict: { status, errorCode, coverageStatus } }: { verdict: Verdict }) {
  return (
    <>
      {inWords(status)}
      {errorCode === null ? null : (
        <>
          {' '}
          <code>{errorCode}</code>
        </>
      )}
      {coverageStatus === null ? null : (
        <span className="quiet"> {inWords(coverageStatus).toLowerCase()}</span>
      )}
    </>
  );
}

function Differences({ differences }: Pick<Tried, 'differences'>) {
  if (differences.length === 0) return <span className="quiet">Only the coverage status.</span>;
  return (
    <ul className="sentences">
      {differences.map(({ change, kind, code, message, field, count }) => (
        <li key={`${change} ${kind} ${code}`}>
          {change === 'ADDED' ? 'Also' : 'No longer'} <code>{code}</code>
          {field === null ? null : (
            <>
              {' '}
              at <code>{field}</code>
            </>
          )}
          {count === 1 ? null : ` (${count} times)`}: {message}
        </li>
      ))}
    </ul>
  );
}
