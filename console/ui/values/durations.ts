const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** A length of time as a person says it: 0.4 s, 12 s, 3 min, 2 h 5 min, 4 d 3 h. */
export function writeSeconds(seconds: number): string {
  if (seconds < 9.95) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < MINUTE_SECONDS) return `${whole} s`;
  if (whole < HOUR_SECONDS) return `${Math.floor(whole / MINUTE_SECONDS)} min`;
  if (whole < DAY_SECONDS) return writeTwo(whole, HOUR_SECONDS, 'h', MINUTE_SECONDS, 'min');
  return writeTwo(whole, DAY_SECONDS, 'd', HOUR_SECONDS, 'h');
}

function writeTwo(
  seconds: number,
  large: number,
  largeUnit: string,
  small: number,
  smallUnit: string,
): string {
  const rest = Math.floor((seconds % large) / small);
  const first = `${Math.floor(seconds / large)} ${largeUnit}`;
  return rest === 0 ? first : `${first} ${rest} ${smallUnit}`;
}
