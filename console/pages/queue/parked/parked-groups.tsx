import type { DataOf } from '../../../api/contract.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { When } from '../../../ui/values/when.tsx';

type Group = DataOf<'groupParked'>['groups'][number];

/** The longest text that the filter takes. */
const FILTER_CHARACTERS_MAX = 300;

interface ParkedGroupsProps {
  readonly groups: readonly Group[];
  readonly setFilter: (name: string, value: string) => void;
}

/** One cause usually parks many transmissions: what they have in common is their error. */
export function ParkedGroups({ groups, setFilter }: ParkedGroupsProps) {
  const columns: readonly Column<Group>[] = [
    {
      title: 'Error',
      cell: ({ lastError }) =>
        lastError === null ? (
          <span className="quiet">None was recorded</span>
        ) : (
          <button
            type="button"
            className="link wide-cell"
            onClick={() => setFilter('lastError', lastError.slice(0, FILTER_CHARACTERS_MAX))}
          >
            {lastError}
          </button>
        ),
    },
    { title: 'Transmissions', isNumber: true, cell: ({ count }) => count.toLocaleString('en') },
    { title: 'First parked', cell: ({ firstParkedAt }) => <When at={firstParkedAt} /> },
    { title: 'Last parked', cell: ({ lastParkedAt }) => <When at={lastParkedAt} /> },
  ];
  return (
    <section aria-labelledby="parked-groups">
      <h2 id="parked-groups">By error</h2>
      <Table
        label="Parked transmissions by error"
        columns={columns}
        rows={groups}
        keyOf={({ lastError }) => lastError ?? ''}
      />
    </section>
  );
}
