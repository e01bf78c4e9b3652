import { useRead } from '../../api/queries.ts';
import { useMay, useSession } from '../../session/session-context.ts';
import { type Figure, Figures } from '../../ui/values/figures.tsx';
import { FLAG_TYPE_WORDS } from '../../words.ts';
import { ageInWords, listPath, writeTotal } from './links.ts';
import { NumberList } from './number-list.tsx';
import type { SectionProps } from './overview-page.tsx';

/** The regions and insurers that are listed; the list of flags has all. */
const LISTED_MAX = 8;
const NOTHING = 'No flag is open.';

function openFlagsPath(filters: Readonly<Record<string, string | number | null>>): string {
  return listPath('/flags', { status: 'OPEN', ...filters });
}

export function OpenFlags({ overview: { openFlags }, pollMs }: SectionProps) {
  const own = useOwnFigures(useMay('flags:review'), pollMs);
  const total: Figure = {
    label: 'Open',
    value: writeTotal(openFlags.total, openFlags.isComplete),
    to: openFlagsPath({}),
  };
  return (
    <section aria-labelledby="open-flags">
      <h2 id="open-flags">Flags that wait for a decision</h2>
      <Figures figures={[total, ...own]} />
      <div className="number-lists">
        <NumberList
          title="By type"
          nothing={NOTHING}
          rows={openFlags.byType.map(({ type, count }) => ({
            label: FLAG_TYPE_WORDS[type],
            count,
            to: openFlagsPath({ type }),
          }))}
        />
        <NumberList
          title="By age"
          nothing={NOTHING}
          rows={openFlags.byAge.map(({ ageDaysMin, ageDaysMax, count }) => ({
            label: ageInWords({ ageDaysMin, ageDaysMax }),
            count,
            to: openFlagsPath({ ageDaysMin, ageDaysMax }),
          }))}
        />
        <NumberList
          title="By insurer"
          nothing={NOTHING}
          rows={openFlags.byInsurer.slice(0, LISTED_MAX).map(({ code, name, count }) => ({
            label: <bdi>{name}</bdi>,
            count,
            to: openFlagsPath({ insurerCode: code }),
          }))}
        />
        <NumberList
          title="By region"
          nothing={NOTHING}
          rows={openFlags.byRegion.slice(0, LISTED_MAX).map(({ region, count }) => ({
            label: region,
            count,
            to: openFlagsPath({ region }),
          }))}
        />
      </div>
    </section>
  );
}

/** What the user works on, and what nobody does: for those who review. */
function useOwnFigures(mayReview: boolean, pollMs: number | undefined): Figure[] {
  const { id } = useSession().session.user;
  const options = { isEnabled: mayReview, ...(pollMs === undefined ? {} : { pollMs }) };
  const mine = useRead('countFlags', { query: { status: 'OPEN', assigneeId: id } }, options);
  const free = useRead('countFlags', { query: { status: 'OPEN', assigned: false } }, options);
  if (!mayReview) return [];
  return [
    {
      label: 'Assigned to you',
      value: mine.data === undefined ? null : writeTotal(mine.data.total, mine.data.isComplete),
      to: openFlagsPath({ assigneeId: id }),
    },
    {
      label: 'Assigned to nobody',
      value: free.data === undefined ? null : writeTotal(free.data.total, free.data.isComplete),
      to: openFlagsPath({ assigned: 'false' }),
    },
  ];
}
