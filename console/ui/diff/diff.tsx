import { useState } from 'react';
import { countOf } from '../../words.ts';
import { Table } from '../table.tsx';
import { type Change, makeDiff } from './diff.ts';

/** More rows at once would make the page slow. */
const CHANGES_SHOWN = 200;

/** What differs between two values: each changed field with its value before and after. */
export function Diff({ before, after }: { before: unknown; after: unknown }) {
  const [shown, setShown] = useState(CHANGES_SHOWN);
  const changes = makeDiff(before, after);
  if (changes.length === 0) return <p className="quiet diff-summary">Nothing differs.</p>;
  return (
    <>
      <p className="quiet diff-summary" role="status">
        {countOf(changes.length, 'field')} {changes.length === 1 ? 'differs' : 'differ'}.
      </p>
      <Table
        label="Differences"
        rows={changes.slice(0, shown)}
        keyOf={({ path }) => path}
        columns={[
          { title: 'Field', cell: ({ path }) => <code>{path}</code> },
          { title: 'Before', cell: (change) => <Value text={change.before} side="before" /> },
          { title: 'After', cell: (change) => <Value text={change.after} side="after" /> },
        ]}
      />
      {changes.length <= shown ? null : (
        <button type="button" onClick={() => setShown(shown + CHANGES_SHOWN)}>
          Show {Math.min(CHANGES_SHOWN, changes.length - shown)} more
        </button>
      )}
    </>
  );
}

function Value({ text, side }: { text: Change['before']; side: 'before' | 'after' }) {
  if (text === null) return <span className="quiet">–</span>;
  return (
    <bdi className={`diff-value diff-${side}`} dir="auto">
      {text}
    </bdi>
  );
}
