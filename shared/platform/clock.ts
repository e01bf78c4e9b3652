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
