/** A real ISO 8601 calendar date, YYYY-MM-DD, of the years that the registry takes. */
export type CalendarDate = string & { readonly __brand: 'CalendarDate' };

export const YEAR_MIN = 1900;
export const YEAR_MAX = 2999;

const MS_PER_DAY = 86_400_000;
const PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/** `new Date('2026-02-30')` is 2 March: only a date that reads back unchanged is one. */
export function isCalendarDate(text: string): text is CalendarDate {
  const [, year, month, day] = PATTERN.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  if (Number(year) < YEAR_MIN || Number(year) > YEAR_MAX) return false;
  return fromEpochDay(toEpochDay(text)) === text;
}

export function addDays(date: string, days: number): CalendarDate {
  return fromEpochDay(toEpochDay(date) + days);
}

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return toEpochDay(to) - toEpochDay(from);
}

function toEpochDay(date: string): number {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return Date.UTC(year, month - 1, day) / MS_PER_DAY;
}

function fromEpochDay(epochDay: number): CalendarDate {
  return new Date(epochDay * MS_PER_DAY).toISOString().slice(0, 10) as CalendarDate;
}
