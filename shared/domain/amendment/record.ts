import type { FlagStatus, FlagType, Lifecycle } from '../../contract/enums.ts';
import type { Submission, SubmittedVehicle } from '../registration/submission.ts';

/** A registered certificate that an amendment or cancellation has read under a lock. */
export interface CurrentRecord {
  readonly certificateId: string;
  readonly registryReference: string;
  readonly lifecycle: Lifecycle;
  readonly version: number;
  readonly policyId: string;
  /** The number of other certificates under the same policy, including cancelled ones. */
  readonly certificatesSharingPolicy: number;
  readonly operatorId: string;
  /** The content of the current version. */
  readonly submission: Submission;
  /** The place of each vehicle of the submission on the certificate, in the submission's order. */
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

/** The vehicle at a place in the current version. */
export function vehicleAt(
  { places, submission }: Pick<CurrentRecord, 'places' | 'submission'>,
  place: VehiclePlace,
): SubmittedVehicle | undefined {
  return submission.vehicles[places.findIndex(({ ordinal }) => ordinal === place.ordinal)];
}

/** The canonical vehicle of each position that is already on the record. */
export function knownVehicles(
  vehicles: readonly { readonly place: VehiclePlace | undefined }[],
): Map<number, string> {
  return new Map(
    vehicles.flatMap(({ place }, position) =>
      place === undefined ? [] : [[position, place.vehicleId] as const],
    ),
  );
}
