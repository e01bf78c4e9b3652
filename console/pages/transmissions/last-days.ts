import { dayAfter, dayOf, startOfDay } from '../../ui/list/days.ts';

const DAY_MS = 86_400_000;

/** The filters for the last days of the registry's calendar, today included. */
export function lastDays(
  days: number,
  now: number,
  timeZone: string,
): { receivedFrom: string; receivedTo: string } {
  const first = dayOf(new Date(now - (days - 1) * DAY_MS).toISOString(), timeZone);
  const last = dayOf(new Date(now).toISOString(), timeZone);
  return {
    receivedFrom: startOfDay(first, timeZone),
    receivedTo: startOfDay(dayAfter(last), timeZone),
  };
}
