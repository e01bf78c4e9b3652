import type { CanonicalVehicle } from '../rules/facts.ts';
import { matchVehicles } from '../rules/matching.ts';
import type { AmendedRecord } from './apply-changes.ts';
import { knownVehicles } from './record.ts';

/**
 * An update that leaves a vehicle none of its names makes it another vehicle (D10, D14): the one before is removed, the
 * new one is added behind those that stay. No row of the record's history takes another vehicle than it had.
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
