import type { AmendedRecord } from '../amendment/apply-changes.ts';
import { type CurrentRecord, type VehiclePlace, vehicleAt } from '../amendment/record.ts';
import { identifierText, type KindAndValue, presentIdentifiers } from '../identifiers.ts';
import type { PlannedVehicle } from '../registration/plan-vehicles.ts';
import type { Claim } from '../registration/writes.ts';
import type { CoveredVehicle } from './conflicts.ts';

// What a record holds already when it is amended (D9, D14).

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
 * The claims of a vehicle that stays on its certificate, for the same days, on what it comes to be called there, and
 * its other certificates' on what it comes to own.
 */
export function claimsOn({ claims }: PlannedVehicle, gained: readonly KindAndValue[]): Claim[] {
  const texts = new Set(gained.map(identifierText));
  return claims.filter((claim) => texts.has(identifierText(claim)));
}

function isSamePeriod(record: CurrentRecord, { submission }: AmendedRecord): boolean {
  const [before, after] = [record.submission.certificate, submission.certificate];
  return (
    before.effectiveDate === after.effectiveDate && before.expirationDate === after.expirationDate
  );
}
