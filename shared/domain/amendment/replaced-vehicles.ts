import type { CanonicalVehicle } from '../rules/facts.ts';
import { matchVehicles } from '../rules/matching.ts';
import type { AmendedRecord } from './apply-changes.ts';
import { knownVehicles } from './record.ts';

/**
 * An update that replaces all identifiers of a vehicle makes it another vehicle (D10, D14). The old vehicle is removed, and the
 * new one is added after the vehicles that stay. So no row of the record's history changes its vehicle.
 */
export function separateReplaced(
  amended: AmendedRecord,
  canonicals: readonly CanonicalVehicle[],
): AmendedRecord {
  const { vehicles, submission } = amended;
  const matched = matchVehicles(submission.vehicles, canonicals, knownVehicles(vehicles));
  const isReplaced = vehicles.map(
    ({ place }, position) =>
      place !== undefined && matched[position]?.canonical?.id !== place.vehicleId,
  );
  if (!isReplaced.includes(true)) return amended;
  const replaced = vehicles.filter((_, position) => isReplaced[position]);
  const ordered = [
    ...vehicles.filter(({ place }, position) => place !== undefined && !isReplaced[position]),
    ...replaced.map((one) => ({ ...one, place: undefined })),
    ...vehicles.filter(({ place }) => place === undefined),
  ];
  return {
    ...amended,
    submission: { ...submission, vehicles: ordered.map(({ vehicle }) => vehicle) },
    vehicles: ordered,
    removed: [...amended.removed, ...replaced.flatMap(({ place }) => place ?? [])],
  };
}
