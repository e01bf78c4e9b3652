import type { FlagType } from '../../contract/enums.ts';
import type { AmendedRecord } from '../amendment/apply-changes.ts';
import { type CurrentRecord, type RecordFlagState, vehicleAt } from '../amendment/record.ts';
import { assertPresent } from '../assert-present.ts';
import type { RaisedFlag, Verdict } from '../rules/judge.ts';
import { isIdentifierConflict } from '../rules/matching.ts';
import type { PlannedVehicle } from './plan-vehicles.ts';

// What an amendment does with the flags of its record (D14).

/** A reviewer has cleared it, and the vehicle is as it was then: it was not flagged again since. */
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

/** Those raised now that are not pending on their vehicle already. */
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
 * Pending flags whose cause is gone (D29): their vehicle left the record, or it was judged again and the finding is absent.
 * That a rule set stopped raising a flag, or that nothing could be judged, resolves none.
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
      // A region without reference data is FOR_REVIEW, too (D21).
      const { result } = assertPresent(referenceMatches[position]);
      return result === 'MATCHED' || result === 'PARTIAL_MATCH';
    }
    case 'IDENTIFIER_CONFLICT':
      return !isIdentifierConflict(assertPresent(matched[position]));
    case 'POSSIBLE_DUPLICATE':
    case 'OVERLAPPING_COVERAGE':
      // Of earlier rules: no amendment is judged for them.
      return false;
    default:
      return type satisfies never;
  }
}

/** Flags that are still to be dealt with, by a reviewer or by the insurer. */
function isPending({ status }: RecordFlagState): boolean {
  return status === 'OPEN' || status === 'REFERRED_TO_INSURER';
}
