import { Figures } from '../../ui/values/figures.tsx';
import { TRANSMISSION_STATUS_WORDS } from '../transmissions/transmission-words.ts';
import { listPath, writeTotal } from './links.ts';
import { NumberList } from './number-list.tsx';
import type { SectionProps } from './overview-page.tsx';

/** The transmissions of the registry's day. */
export function Today({ overview: { transmissionsToday } }: SectionProps) {
  const { from, total, isComplete, byStatus, topErrorCodes } = transmissionsToday;
  const path = (filters: Readonly<Record<string, string>>): string =>
    listPath('/transmissions', { ...filters, receivedFrom: from });
  return (
    <section aria-labelledby="today">
      <h2 id="today">Transmissions today</h2>
      <Figures figures={[{ label: 'Total', value: writeTotal(total, isComplete), to: path({}) }]} />
      <div className="number-lists">
        <NumberList
          title="By status"
          nothing="Nothing was received today."
          rows={byStatus.map(({ status, count }) => ({
            label: TRANSMISSION_STATUS_WORDS[status],
            count,
            to: path({ status }),
          }))}
        />
        <NumberList
          title="Most frequent errors"
          nothing="Nothing was rejected today."
          rows={topErrorCodes.map(({ errorCode, count }) => ({
            label: <code>{errorCode}</code>,
            count,
            to: path({ errorCode }),
          }))}
        />
      </div>
    </section>
  );
}
