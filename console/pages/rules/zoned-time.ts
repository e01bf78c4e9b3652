const MINUTE_MS = 60_000;
/** The value of an `<input type="datetime-local">`. */
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/**
 * The moment of a date and time that a clock in that zone shows, as `2026-12-01T08:00:00+08:00`. In the hour that a change of the
 * clocks leaves out it is the moment before.
 * @throws {RangeError} when `local` is not like 2026-12-01T08:00
 */
export function momentInZone(local: string, timeZone: string): string {
  const asUtc = Date.parse(`${local}:00Z`);
  // Date.parse alone reads nearly any text.
  if (!LOCAL.test(local) || Number.isNaN(asUtc))
    throw new RangeError(`${local} is no date and time`);
  // The offset at the moment itself may differ from the one at that time of UTC.
  const guess = asUtc - offsetMs(asUtc, timeZone);
  const offset = offsetMs(guess, timeZone) / MINUTE_MS;
  return `${local}:00${offset < 0 ? '-' : '+'}${clockOf(Math.abs(offset))}`;
}

/** How far the clocks of the zone are ahead of UTC. */
function offsetMs(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const parts = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

function clockOf(minutes: number): string {
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
