export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export interface MovableClock extends Clock {
  moveTo(instant: Date): void;
  /** Milliseconds; negative ones go back. */
  advance(ms: number): void;
}

/** A clock that stands still until it is moved. */
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

/** Building a formatter costs far more than using it; the number of zones in use is one or two. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** YYYY-MM-DD of the instant in an IANA time zone (D8). */
export function calendarDate(instant: Date, timeZone: string): string {
  return formatterOf(timeZone).format(instant);
}

/** Somewhere the date begins so early, and somewhere so late, measured from midnight UTC. */
const ZONES_MS = 15 * 3_600_000;

/** The first instant that is after a calendar date, YYYY-MM-DD, in an IANA time zone (D8). */
export function endOfDate(date: string, timeZone: string): Date {
  const nextMidnightMs = Date.parse(`${date}T24:00:00Z`);
  let [withinMs, afterMs] = [nextMidnightMs - ZONES_MS, nextMidnightMs + ZONES_MS];
  while (afterMs - withinMs > 1) {
    const middleMs = Math.floor((withinMs + afterMs) / 2);
    if (calendarDate(new Date(middleMs), timeZone) > date) afterMs = middleMs;
    else withinMs = middleMs;
  }
  return new Date(afterMs);
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
