import type { Identifiers } from '../identifiers.ts';
import { type KeptVehicle, keptForm, sentOtherwise } from '../registration/plan-vehicles.ts';
import type { Submission, SubmittedVehicle } from '../registration/submission.ts';

/** A version of a certificate as it is kept: of a vehicle what it has, and how it was sent where that is not how it is registered. */
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

/** Reads those of earlier releases, too, which have every member. */
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
