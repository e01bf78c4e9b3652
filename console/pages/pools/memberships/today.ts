import { REGISTRY_TIME_ZONE } from '../../../api/environment.ts';

/** The day in the zone of the registry as YYYY-MM-DD, which is how en-CA writes it. */
export function todayInRegistry(): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: REGISTRY_TIME_ZONE }).format(new Date());
}
