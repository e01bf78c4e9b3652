import type { Column } from '../../../ui/table.tsx';
import { Tag } from '../../../ui/values/tag.tsx';
import { type Span, stateOf } from './axis.ts';

type Period = Pick<Span, 'validFrom' | 'validTo'>;

/** The days of a membership, and whether it applies today. */
export function periodColumns(today: string): Column<Period>[] {
  return [
    { title: 'First day', cell: ({ validFrom }) => validFrom },
    {
      title: 'Last day',
      cell: ({ validTo }) => validTo ?? <span className="quiet">without an end</span>,
    },
    { title: 'Today', cell: (period) => <StateTag period={period} today={today} /> },
  ];
}

function StateTag({ period, today }: { period: Period; today: string }) {
  const state = stateOf(period, today);
  if (state === 'current') return <Tag tone="good">Member</Tag>;
  return <Tag tone="neutral">{state === 'ended' ? 'Ended' : 'Begins later'}</Tag>;
}
