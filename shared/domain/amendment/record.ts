import type { FlagStatus, FlagType, Lifecycle } from '../../contract/enums.ts';
import type { Submission, SubmittedVehicle } from '../registration/submission.ts';

/** A registered certificate as an amendment or cancellation finds it, under lock. */
export interface CurrentRecord {
  readonly certificateId: string;
  readonly registryReference: string;
  readonly lifecycle: Lifecycle;
  readonly version: number;
  readonly policyId: string;
  /** Other certificates under the same policy, cancelled ones too. */
  readonly certificatesSharingPolicy: number;
  readonly operatorId: string;
  /** What the current version is registered as. */
  readonly submission: Submission;
  /** Where each vehicle of the submission stands on the certificate, in its order. */
  readonly places: readonly VehiclePlace[];
  /** The next free place. */
  readonly nextOrdinal: number;
  readonly flags: readonly RecordFlagState[];
}

export interface VehiclePlace {
  readonly ordinal: number;
  readonly vehicleId: string;
}

export interface RecordFlagState {
  readonly id: string;
  readonly type: FlagType;
  readonly status: FlagStatus;
  readonly vehicleId: string | null;
}

/** The vehicle as the current version has it at a place. */
export function vehicleAt(
  { places, submission }: Pick<CurrentRecord, 'places' | 'submission'>,
  place: VehiclePlace,
): SubmittedVehicle | undefined {
  return submission.vehicles[places.findIndex(({ ordinal }) => ordinal === place.ordinal)];
}

/** Which canonical vehicle each position is that stands on the record already. */
export function knownVehicles(
  vehicles: readonly { readonly place: VehiclePlace | undefined }[],
): Map<number, string> {
  return new Map(
    vehicles.flatMap(({ place }, position) =>
      place === undefined ? [] : [[position, place.vehicleId] as const],
    ),
  );
}
