export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export interface MovableClock extends Clock {
  moveTo(instant: Date): void;
  /** Negative milliseconds move the clock back. */
  advance(ms: number): void;
}

/** A clock that does not run: it only changes when it is set or advanced. */
export function makeMovableClock(start: Date): MovableClock {
  let instantMs = start.getTime();
  return {
    now: () => new Date(instantMs),
    moveTo: (instant) => {
      instantMs = instant.getTime();
    },
    advance: (ms) => {
      instantMs += ms;
    },
  };
}

/** Building a formatter costs far more than using it. Only one or two time zones are in use. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The date, YYYY-MM-DD, of an instant in an IANA time zone (D8), in a calendar that is `daysAhead` days ahead (D40). */
export function calendarDate(instant: Date, timeZone: string, daysAhead = 0): string {
  const date = formatterOf(timeZone).format(instant);
  return daysAhead === 0 ? date : daysAfter(date, daysAhead);
}

/** Upper bound on the difference between local midnight and midnight UTC, in any time zone. */
const ZONE_OFFSET_MS_MAX = 15 * 3_600_000;

/** The first instant that is after a calendar date, YYYY-MM-DD, in an IANA time zone (D8), in a calendar that is `daysAhead` days ahead (D40). */
export function endOfDate(shown: string, timeZone: string, daysAhead = 0): Date {
  const date = daysAfter(shown, -daysAhead);
  const nextMidnightMs = Date.parse(`${date}T24:00:00Z`);
  let [withinMs, afterMs] = [
    nextMidnightMs - ZONE_OFFSET_MS_MAX,
    nextMidnightMs + ZONE_OFFSET_MS_MAX,
  ];
  while (afterMs - withinMs > 1) {
    const middleMs = Math.floor((withinMs + afterMs) / 2);
    if (calendarDate(new Date(middleMs), timeZone) > date) afterMs = middleMs;
    else withinMs = middleMs;
  }
  return new Date(afterMs);
}

const MS_PER_DAY = 86_400_000;

function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * MS_PER_DAY).toISOString().slice(0, 10);
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  // en-CA is the locale whose short date is YYYY-MM-DD.
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formatters.set(timeZone, made);
  return made;
}
