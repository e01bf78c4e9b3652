import type { DiffEntry } from '../../contract/machine/record.ts';
import { registeredForm } from '../registration/plan-vehicles.ts';
import type { Submission, SubmittedVehicle } from '../registration/submission.ts';
import type { AmendedRecord } from './apply-changes.ts';
import type { CurrentRecord } from './record.ts';

/**
 * The changes of an amendment by path. A path names a vehicle by its chassis number before the change, or an added vehicle by
 * its new one: `vehicles[CHS1].plateNumber`, `vehicles[CHS2]`.
 */
export function diffRecord(
  { submission: before, places }: Pick<CurrentRecord, 'submission' | 'places'>,
  { submission: after, vehicles, removed }: AmendedRecord,
): DiffEntry[] {
  const vehicleAt = new Map(places.map(({ ordinal }, index) => [ordinal, before.vehicles[index]]));
  return [
    ...diffMembers('', headOf(before), headOf(after)),
    ...diffMembers('policy.', before.policy, after.policy),
    ...diffMembers('certificate.', before.certificate, after.certificate),
    ...diffMembers('operator.', before.operator, after.operator),
    ...vehicles.flatMap(({ vehicle, place }): DiffEntry[] => {
      const old = place === undefined ? undefined : vehicleAt.get(place.ordinal);
      return old === undefined
        ? [{ path: pathOf(vehicle), after: registeredForm(vehicle) }]
        : diffMembers(`${pathOf(old)}.`, registeredForm(old), registeredForm(vehicle));
    }),
    ...removed.flatMap(({ ordinal }): DiffEntry[] => {
      const old = vehicleAt.get(ordinal);
      return old === undefined ? [] : [{ path: pathOf(old), before: registeredForm(old) }];
    }),
  ];
}

/** The policy-level fields that an amendment changes (api.md, "amendments"). */
export function policyLevelPaths(diff: readonly DiffEntry[]): string[] {
  return diff
    .map(({ path }) => path)
    .filter((path) => path === 'poolCode' || path.startsWith('policy.'));
}

function headOf({ poolCode }: Submission): object {
  return { poolCode };
}

function pathOf(vehicle: SubmittedVehicle): string {
  return `vehicles[${vehicle.chassisNumber ?? vehicle.plateNumber ?? ''}]`;
}

function diffMembers(prefix: string, before: object, after: object): DiffEntry[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after).flatMap(([name, value]) =>
    old.get(name) === value
      ? []
      : { path: `${prefix}${name}`, before: old.get(name), after: value },
  );
}
