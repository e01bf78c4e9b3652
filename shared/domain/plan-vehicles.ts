import { IDENTIFIER_KINDS } from '../contract/enums.ts';
import type { CanonicalVehicle } from './facts.ts';
import {
  type Identifiers,
  identifiersBeyond,
  identifierText,
  type KindAndValue,
} from './identifiers.ts';
import type { MatchedVehicle } from './matching.ts';
import type { Period, SubmittedVehicle } from './submission.ts';
import { type CoveredVehicle, namesOfOthers, othersOf } from './validation/conflicts.ts';
import type { Claim, NewIdentifier, Reliance, VehicleRow } from './writes.ts';

export interface PlannedVehicle {
  readonly row: VehicleRow;
  readonly identifiers: readonly NewIdentifier[];
  readonly claims: readonly Claim[];
  readonly reliesOn: Omit<Reliance, 'policies'>;
}

/**
 * What registering a vehicle on a certificate writes: the canonical vehicle, the identifiers it comes
 * to own, and a claim on every identifier it then owns, the historical ones too. The older certificates
 * of the vehicle get the new identifiers as well, so that these block where those are in force. `before` is the
 * vehicle as the certificate covers it already.
 */
export function planVehicle(
  match: MatchedVehicle,
  certificateId: string,
  period: Period,
  newId: () => string,
  before?: CoveredVehicle,
): PlannedVehicle {
  const { vehicle, matches, canonical } = match;
  const vehicleId = canonical?.id ?? newId();
  const gained = identifiersBeyond(vehicle, canonical?.identifiers ?? []);
  const claimOf =
    (to: { certificateId: string; period: Period }, required: boolean) =>
    ({ kind, value }: KindAndValue): Claim => ({
      kind,
      value,
      certificateId: to.certificateId,
      vehicleId,
      from: to.period.from,
      to: to.period.to,
      required,
    });
  const older = (canonical?.certificates ?? []).filter(
    (other) => other.certificateId !== certificateId,
  );
  const others = namesOfOthers(match, before);
  const known = others.length > 0 ? othersOf(match) : [];
  return {
    reliesOn: {
      // Who names two vehicles of three and who names another two must not miss each other.
      vehicles: (canonical === null ? known : [canonical, ...known]).map(({ id, revision }) => ({
        id,
        revision,
      })),
      namedVehicleIds: known.map(({ id }) => id),
      unclaimed: others.map(({ kind, value }) => ({ kind, value, certificateId, ...period })),
      certificates: older
        .filter(() => gained.length > 0)
        .map(({ certificateId: id, revision }) => ({ id, revision })),
    },
    row: makeVehicleRow(vehicle, vehicleId, canonical === null),
    identifiers: gained.map((one) => ({
      kind: one.kind,
      value: one.value,
      vehicleId,
      rank: ownersOf(one, matches),
    })),
    claims: [
      ...[...(canonical?.identifiers ?? []), ...gained].map(
        claimOf({ certificateId, period }, true),
      ),
      ...older.flatMap((one) => gained.map(claimOf(one, false))),
    ],
  };
}

function makeVehicleRow(vehicle: SubmittedVehicle, id: string, isNew: boolean): VehicleRow {
  return {
    id,
    isNew,
    isRenamed: true,
    plateNumber: vehicle.plateNumber ?? '',
    mvFileNumber: vehicle.mvFileNumber ?? '',
    engineNumber: vehicle.engineNumber ?? '',
    chassisNumber: vehicle.chassisNumber ?? '',
    make: vehicle.make,
    model: vehicle.model,
    yearModel: vehicle.yearModel,
    vehicleType: vehicle.vehicleType ?? '',
    denomination: vehicle.denomination ?? '',
  };
}

function ownersOf(one: KindAndValue, matches: readonly CanonicalVehicle[]): number {
  if (matches.length === 0) return 0;
  const text = identifierText(one);
  return matches
    .flatMap(({ identifiers }) => identifiers)
    .filter((other) => identifierText(other) === text)
    .reduce((next, { rank }) => Math.max(next, rank + 1), 0);
}

/** The vehicle as registered on a certificate: normalized identifiers and description. */
export function registeredForm(vehicle: SubmittedVehicle): Record<string, unknown> {
  const { transmitted: _asSent, ...registered } = vehicle;
  return registered;
}

/** The identifiers as sent, null where they were sent as they are registered. */
export function sentOtherwise(vehicle: SubmittedVehicle): Identifiers | null {
  const { transmitted } = vehicle;
  return IDENTIFIER_KINDS.every((kind) => transmitted[kind] === vehicle[kind]) ? null : transmitted;
}
