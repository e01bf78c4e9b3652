import type { Identifiers } from '../identifiers.ts';
import { type KeptVehicle, keptForm, sentOtherwise } from '../registration/plan-vehicles.ts';
import type { Submission, SubmittedVehicle } from '../registration/submission.ts';

/** The stored form of a version. A vehicle omits absent members, and `transmitted` where it equals the registered identifiers. */
export interface KeptSnapshot extends Omit<Submission, 'vehicles'> {
  readonly vehicles: readonly (KeptVehicle & { readonly transmitted?: Identifiers })[];
}

export function keepSnapshot(submission: Submission): KeptSnapshot {
  return { ...submission, vehicles: submission.vehicles.map(keepVehicle) };
}

function keepVehicle(vehicle: SubmittedVehicle): KeptSnapshot['vehicles'][number] {
  const transmitted = sentOtherwise(vehicle);
  return transmitted === null ? keptForm(vehicle) : { ...keptForm(vehicle), transmitted };
}

/** Also reads snapshots of earlier releases, which contain every member. */
export function readSnapshot(kept: KeptSnapshot): Submission {
  return { ...kept, vehicles: kept.vehicles.map(readVehicle) };
}

function readVehicle(kept: KeptSnapshot['vehicles'][number]): SubmittedVehicle {
  const { plateNumber, mvFileNumber, engineNumber, chassisNumber } = kept;
  const registered = { plateNumber, mvFileNumber, engineNumber, chassisNumber };
  return {
    ...registered,
    transmitted: kept.transmitted ?? registered,
    vin: kept.vin ?? null,
    make: kept.make ?? null,
    model: kept.model ?? null,
    series: kept.series ?? null,
    yearModel: kept.yearModel ?? null,
    vehicleType: kept.vehicleType,
    denomination: kept.denomination,
    passengerCapacity: kept.passengerCapacity,
    caseNumber: kept.caseNumber ?? null,
    cpcNumber: kept.cpcNumber ?? null,
    region: kept.region,
    province: kept.province ?? null,
    route: kept.route ?? null,
  };
}
