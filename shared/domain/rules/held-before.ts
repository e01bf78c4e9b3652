import type { AmendedRecord } from '../amendment/apply-changes.ts';
import { type CurrentRecord, type VehiclePlace, vehicleAt } from '../amendment/record.ts';
import { identifierText, type KindAndValue, presentIdentifiers } from '../identifiers.ts';
import type { PlannedVehicle } from '../registration/plan-vehicles.ts';
import type { Reservation } from '../registration/writes.ts';
import type { CoveredVehicle } from './conflicts.ts';

// The identifiers that a record covers already when it is amended (D9, D14).

/** The vehicle at a place as the record covers it already, unless the amendment moves its days. */
export function coveredBefore(
  record: CurrentRecord,
  amended: AmendedRecord,
  place: VehiclePlace | undefined,
): CoveredVehicle | undefined {
  if (place === undefined || !isSamePeriod(record, amended)) return undefined;
  const before = vehicleAt(record, place);
  return before && { vehicleId: place.vehicleId, identifiers: presentIdentifiers(before) };
}

/**
 * The reservations of a vehicle that stays on its certificate for the same days: the certificate reserves the identifiers that
 * it did not cover yet, and the vehicle's other certificates reserve its new identifiers.
 */
export function reservationsOn(
  { reservations }: PlannedVehicle,
  gained: readonly KindAndValue[],
): Reservation[] {
  const texts = new Set(gained.map(identifierText));
  return reservations.filter((claim) => texts.has(identifierText(claim)));
}

function isSamePeriod(record: CurrentRecord, { submission }: AmendedRecord): boolean {
  const [before, after] = [record.submission.certificate, submission.certificate];
  return (
    before.effectiveDate === after.effectiveDate && before.expirationDate === after.expirationDate
  );
}
