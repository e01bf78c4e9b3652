import type { AmendedRecord } from './apply-changes.ts';
import type { RaisedFlag } from './judge.ts';
import type { PlannedVehicle } from './plan-vehicles.ts';
import { proven } from './proven.ts';
import { type CurrentRecord, type RecordFlagState, vehicleAt } from './record.ts';

// What an amendment does with the flags of its record (D14).

/** A reviewer has cleared it, and the vehicle is as it was then. */
export function isCleared(
  flag: RaisedFlag,
  record: CurrentRecord,
  amended: AmendedRecord,
): boolean {
  const one = amended.vehicles[flag.position];
  const { place } = one ?? {};
  if (one === undefined || place === undefined) return false;
  if (vehicleAt(record, place) !== one.vehicle) return false;
  return record.flags.some(
    ({ type, status, vehicleId }) =>
      type === flag.type && vehicleId === place.vehicleId && status === 'CLEARED',
  );
}

/** Those raised now that are not pending on their vehicle already. */
export function newFlags(
  raised: readonly RaisedFlag[],
  planned: readonly PlannedVehicle[],
  existing: readonly RecordFlagState[],
): { flag: RaisedFlag; vehicleId: string }[] {
  return raised.flatMap((flag) => {
    const vehicleId = proven(planned[flag.position]).row.id;
    const isKnown = existing.some(
      (one) => isPending(one) && one.type === flag.type && one.vehicleId === vehicleId,
    );
    return isKnown ? [] : { flag, vehicleId };
  });
}

/** Pending flags whose finding is gone, with the vehicle or by its change (D14). */
export function resolvedFlags(
  raised: readonly RaisedFlag[],
  planned: readonly PlannedVehicle[],
  existing: readonly RecordFlagState[],
): string[] {
  const still = new Set(
    raised.map(({ type, position }) => `${type}:${proven(planned[position]).row.id}`),
  );
  return existing
    .filter((one) => isPending(one) && !still.has(`${one.type}:${one.vehicleId}`))
    .map(({ id }) => id);
}

/** Flags that are still to be dealt with, by a reviewer or by the insurer. */
function isPending({ status }: RecordFlagState): boolean {
  return status === 'OPEN' || status === 'REFERRED_TO_INSURER';
}
