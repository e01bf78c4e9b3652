import { useEffect, useId, useState } from 'react';
import { REGISTRY_TIME_ZONE } from '../../api/environment.ts';
import { dayAfter, dayOf, isDay, lastDayBefore, startOfDay } from './days.ts';
import type { Filters } from './use-filters.ts';

interface DayFilterProps {
  readonly filters: Filters;
  readonly label: string;
  /** A filter of moments: `from` is at or after, `to` is before. The day that is chosen belongs to the period. */
  readonly name: string;
  readonly isEnd?: boolean;
}

/** A filter of moments that is chosen as a day of the registry's calendar. */
export function DayFilter({ filters, label, name, isEnd = false }: DayFilterProps) {
  const id = useId();
  const moment = filters.query[name] ?? '';
  const day = (isEnd ? lastDayBefore : dayOf)(moment, REGISTRY_TIME_ZONE);
  const [text, setText] = useState(day);
  useEffect(() => setText(day), [day]);
  const change = (chosen: string): void => {
    setText(chosen);
    if (chosen === '') filters.setFilter(name, '');
    // While a year is typed, its first digits are days of long ago.
    else if (isDay(chosen))
      filters.setFilter(name, startOfDay(isEnd ? dayAfter(chosen) : chosen, REGISTRY_TIME_ZONE));
  };
  return (
    <div className="day-filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        className={moment === '' ? undefined : 'is-set'}
        value={text}
        title={`A day in ${REGISTRY_TIME_ZONE}`}
        onChange={(event) => change(event.target.value)}
      />
    </div>
  );
}
