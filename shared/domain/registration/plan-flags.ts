import type { FlagType } from '../../contract/enums.ts';
import type { AmendedRecord } from '../amendment/apply-changes.ts';
import { type CurrentRecord, type RecordFlagState, vehicleAt } from '../amendment/record.ts';
import { assertPresent } from '../assert-present.ts';
import type { RaisedFlag, Verdict } from '../rules/judge.ts';
import { isIdentifierConflict } from '../rules/matching.ts';
import type { PlannedVehicle } from './plan-vehicles.ts';

// The effect of an amendment on the flags of its record (D14).

/** True if a reviewer has cleared the same flag of the unchanged vehicle, and no such flag is pending. */
export function isCleared(
  flag: RaisedFlag,
  record: CurrentRecord,
  amended: AmendedRecord,
): boolean {
  const one = amended.vehicles[flag.position];
  const { place } = one ?? {};
  if (one === undefined || place === undefined) return false;
  if (vehicleAt(record, place) !== one.vehicle) return false;
  const ofVehicle = record.flags.filter(
    ({ type, vehicleId }) => type === flag.type && vehicleId === place.vehicleId,
  );
  return ofVehicle.some(({ status }) => status === 'CLEARED') && !ofVehicle.some(isPending);
}

/** The raised flags that are not already pending on their vehicle. */
export function newFlags(
  raised: readonly RaisedFlag[],
  planned: readonly PlannedVehicle[],
  existing: readonly RecordFlagState[],
): { flag: RaisedFlag; vehicleId: string }[] {
  return raised.flatMap((flag) => {
    const vehicleId = assertPresent(planned[flag.position]).row.id;
    const isKnown = existing.some(
      (one) => isPending(one) && one.type === flag.type && one.vehicleId === vehicleId,
    );
    return isKnown ? [] : { flag, vehicleId };
  });
}

/**
 * The pending flags whose cause is gone (D29): their vehicle was removed from the record, or it was judged again without the
 * finding. A flag stays when the rule set no longer raises it, or when there is no reference data to judge by.
 */
export function resolvedFlags(
  verdict: Pick<Verdict, 'matched' | 'referenceMatches'>,
  planned: readonly PlannedVehicle[],
  existing: readonly RecordFlagState[],
): string[] {
  const positions = new Map(planned.map(({ row }, position) => [row.id, position]));
  return existing
    .filter((flag) => {
      if (!isPending(flag) || flag.vehicleId === null) return false;
      const position = positions.get(flag.vehicleId);
      return position === undefined || isCauseGone(flag.type, verdict, position);
    })
    .map(({ id }) => id);
}

function isCauseGone(
  type: FlagType,
  { matched, referenceMatches }: Pick<Verdict, 'matched' | 'referenceMatches'>,
  position: number,
): boolean {
  switch (type) {
    case 'VEHICLE_MISMATCH': {
      // A region without reference data is FOR_REVIEW as well (D21).
      const { result } = assertPresent(referenceMatches[position]);
      return result === 'MATCHED' || result === 'PARTIAL_MATCH';
    }
    case 'IDENTIFIER_CONFLICT':
      return !isIdentifierConflict(assertPresent(matched[position]));
    case 'POSSIBLE_DUPLICATE':
    case 'OVERLAPPING_COVERAGE':
      // No current rule raises these flags, so an amendment cannot resolve them.
      return false;
    default:
      return type satisfies never;
  }
}

/** True if a reviewer or the insurer still has to act on the flag. */
function isPending({ status }: RecordFlagState): boolean {
  return status === 'OPEN' || status === 'REFERRED_TO_INSURER';
}
