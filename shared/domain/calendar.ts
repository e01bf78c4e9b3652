import { DATE_MAX, DATE_MIN } from '../contract/dates.ts';

/** A real ISO 8601 calendar date, YYYY-MM-DD, within the range that the registry accepts. */
export type CalendarDate = string & { readonly __brand: 'CalendarDate' };

const MS_PER_DAY = 86_400_000;
const PATTERN = /^\d{4}-\d{2}-\d{2}$/;

export function isCalendarDate(text: string): text is CalendarDate {
  return isDateOfAnyYear(text) && text >= DATE_MIN && text <= DATE_MAX;
}

/** True for a real calendar date outside the range that the registry accepts. */
export function isDateOutOfRange(text: string): boolean {
  return isDateOfAnyYear(text) && !isCalendarDate(text);
}

/** `new Date('2026-02-30')` is 2 March, so a real date is one that reads back unchanged. */
function isDateOfAnyYear(text: string): boolean {
  if (!PATTERN.test(text)) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().slice(0, 10) === text;
}

export function addDays(date: string, days: number): CalendarDate {
  return fromEpochDay(toEpochDay(date) + days);
}

/** The whole days from `from` to `to`; negative when `to` is earlier. */
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
