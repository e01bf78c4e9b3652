const DAY_MS = 86_400_000;
/** The offset of Asia/Manila, which has not changed since 1990 (D8). */
const MANILA_OFFSET_MS = 8 * 3_600_000;

/** The registry's calendar date of an instant, YYYY-MM-DD. */
export function manilaDate(instant: Date): string {
  return new Date(instant.getTime() + MANILA_OFFSET_MS).toISOString().slice(0, 10);
}

export function plusDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Whole days from one date to another; negative when the second is earlier. */
export function daysFrom(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

export function isDate(text: string): boolean {
  const instant = Date.parse(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(instant) &&
    new Date(instant).toISOString().startsWith(text)
  );
}

/** Milliseconds until the next midnight in Manila. */
export function untilMidnightMs(instant: Date): number {
  return DAY_MS - ((instant.getTime() + MANILA_OFFSET_MS) % DAY_MS);
}
