import { REGISTRY_TIME_ZONE } from '../../api/environment.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: REGISTRY_TIME_ZONE,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const exactFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: REGISTRY_TIME_ZONE,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** "3 min ago" up to a day, then the date. The exact time, in the registry's zone, shows under the pointer. */
export function When({ at, isExact = false }: { at: string; isExact?: boolean }) {
  const exact = `${exactFormat.format(new Date(at))} (${REGISTRY_TIME_ZONE})`;
  return (
    <time dateTime={at} title={exact}>
      {isExact ? exact : shortOf(at)}
    </time>
  );
}

function shortOf(at: string): string {
  const ageMs = Date.now() - Date.parse(at);
  if (ageMs < 0 || ageMs >= DAY_MS) return dateFormat.format(new Date(at));
  if (ageMs < MINUTE_MS) return 'just now';
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  return `${Math.floor(ageMs / HOUR_MS)} h ago`;
}
