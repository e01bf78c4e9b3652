import { REGISTRY_TIME_ZONE } from '../../api/environment.ts';

const exactFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: REGISTRY_TIME_ZONE,
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const timeFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: REGISTRY_TIME_ZONE,
  hour: '2-digit',
  minute: '2-digit',
});
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: REGISTRY_TIME_ZONE,
  day: 'numeric',
  month: 'short',
});

/** A moment of a chart, in the registry's zone, from seconds since 1970. */
export function exactMoment(seconds: number): string {
  return exactFormat.format(seconds * 1_000);
}

const DAY_SECONDS = 86_400;

/** The labels of a time axis whose marks are `distance` seconds apart. */
export function writeAxis(marks: readonly number[], distance: number): string[] {
  const format = distance >= DAY_SECONDS ? dayFormat : timeFormat;
  return marks.map((seconds, index) => {
    const ms = seconds * 1_000;
    const isNewDay =
      index > 0 && dayFormat.format(ms) !== dayFormat.format((marks[index - 1] ?? 0) * 1_000);
    return isNewDay ? dayFormat.format(ms) : format.format(ms);
  });
}
