// The API filters by moments; people filter by days of the registry's calendar.

/** The registry accepts no earlier year. */
const DAY = /^(?:19|2\d)\d\d-\d\d-\d\d$/;
const DAY_MS = 86_400_000;

export function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text));
}

/** The first moment of a day in a time zone, with its offset: 2026-11-02 → 2026-11-02T00:00:00+08:00. */
export function startOfDay(day: string, timeZone: string): string {
  const guess = `${day}T00:00:00${offsetAt(Date.parse(day), timeZone)}`;
  // The offset may change between the midnight of UTC and that of the zone.
  return `${day}T00:00:00${offsetAt(Date.parse(guess), timeZone)}`;
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/** The day of a moment in a time zone. Empty for what is no moment. */
export function dayOf(moment: string, timeZone: string): string {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return '';
  // Swedish dates have the form of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(time);
}

/** The last day of a period that ends before a moment. */
export function lastDayBefore(moment: string, timeZone: string): string {
  const time = Date.parse(moment);
  return Number.isNaN(time) ? '' : dayOf(new Date(time - 1).toISOString(), timeZone);
}

function offsetAt(time: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = parts.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value;
  return name === undefined || name === 'GMT' ? '+00:00' : name.replace('GMT', '');
}
