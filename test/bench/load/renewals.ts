import { COVERED_DAYS_MAX } from '../synthetic-registry.ts';

/** The next cover of a vehicle. */
export interface Renewal {
  /** The number of the vehicle in the loaded registry, from 1. */
  readonly vehicle: number;
  /** The first day of the cover, from today. */
  readonly inDays: number;
}

/** Length of such a cover, both ends included. */
export const RENEWED_DAYS = 366;
/** Identifiers with fewer digits are too short. */
const FIRST_RENEWED = 1_000;
/** Coprime to the number of vehicles, so that renewals go all over the registry before one comes again. */
const STEP = 7_919;

/** The renewal of that number of a loaded registry of so many vehicles: no two are of one vehicle on one day, however many there are. */
export function renewalAt(number: number, vehicles: number): Renewal {
  const renewable = vehicles - FIRST_RENEWED + 1;
  const yearsBefore = Math.floor(number / renewable);
  return {
    vehicle: FIRST_RENEWED + ((number * STEP) % renewable),
    inDays: COVERED_DAYS_MAX + yearsBefore * RENEWED_DAYS,
  };
}
