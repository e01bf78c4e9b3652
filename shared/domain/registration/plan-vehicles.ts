import { IDENTIFIER_KINDS } from '../../contract/enums.ts';
import { assertPresent } from '../assert-present.ts';
import {
  type Identifiers,
  identifiersBeyond,
  identifierText,
  type KindAndValue,
} from '../identifiers.ts';
import { type CoveredVehicle, namesOfOthers, othersOf } from '../rules/conflicts.ts';
import type { CanonicalVehicle } from '../rules/facts.ts';
import type { MatchedVehicle } from '../rules/matching.ts';
import type { SubmittedVehicle } from './submission.ts';
import type { Cover, NewIdentifier, ReadSet, Reservation, VehicleRow } from './writes.ts';

export interface PlannedVehicle {
  readonly row: VehicleRow;
  readonly identifiers: readonly NewIdentifier[];
  readonly reservations: readonly Reservation[];
  /** Every identifier the vehicle has or had. Its certificate covers all of them. */
  readonly held: readonly KindAndValue[];
  readonly readSet: Omit<ReadSet, 'policies'>;
}

/**
 * The rows that register a vehicle on a certificate: the canonical vehicle, its new identifiers, and a cover of every
 * identifier that it has or had (D9, D10). A new identifier that nobody owned gets its cover at once; all others are reserved.
 * The vehicle's older certificates reserve the new identifiers, too, so that they block other certificates.
 * `before` is the vehicle as this certificate covers it already.
 */
export function planVehicle(
  match: MatchedVehicle,
  cover: Cover,
  newId: () => string,
  before?: CoveredVehicle,
): PlannedVehicle {
  const { vehicle, matches, canonical } = match;
  const vehicleId = canonical?.id ?? newId();
  const row = makeVehicleRow(vehicle, vehicleId, canonical === null);
  const owned = canonical?.identifiers ?? [];
  const gained = identifiersBeyond(vehicle, owned).map((one): NewIdentifier => {
    const { kind, value } = one;
    const rank = ownersOf(one, matches);
    return { kind, value, vehicleId, rank, cover: rank === 0 ? cover : null };
  });
  const reservationOf =
    (by: Cover, required: boolean) =>
    ({ kind, value }: KindAndValue): Reservation => ({ kind, value, cover: by, required });
  const older = (canonical?.certificates ?? []).filter(
    (other) => other.certificateId !== cover.certificateId,
  );
  const others = namesOfOthers(match, before);
  const known = others.length > 0 ? othersOf(match) : [];
  return {
    readSet: {
      // Of three vehicles, two transmissions may each name another two. Both must read the third one's revision.
      vehicles: (canonical === null ? known : [canonical, ...known]).map(({ id, revision }) => ({
        id,
        revision,
      })),
      conflictingVehicleIds: known.map(({ id }) => id),
      mustStayFree: others.map(({ kind, value }) => ({ kind, value, cover })),
      certificates: older
        .filter(() => gained.length > 0)
        .map(({ certificateId: id, revision }) => ({ id, revision })),
    },
    row,
    identifiers: gained,
    reservations: [
      ...[...owned, ...gained.filter((one) => one.cover === null)].map(reservationOf(cover, true)),
      ...older.flatMap(({ certificateId, period }) =>
        gained.map(reservationOf({ certificateId, ...period }, false)),
      ),
    ],
    held: [...owned, ...gained],
  };
}

function makeVehicleRow(vehicle: SubmittedVehicle, id: string, isNew: boolean): VehicleRow {
  return {
    id,
    isNew,
    isRenamed: true,
    plateNumber: assertPresent(vehicle.plateNumber),
    mvFileNumber: assertPresent(vehicle.mvFileNumber),
    engineNumber: assertPresent(vehicle.engineNumber),
    chassisNumber: assertPresent(vehicle.chassisNumber),
    make: vehicle.make,
    model: vehicle.model,
    yearModel: vehicle.yearModel,
    vehicleType: assertPresent(vehicle.vehicleType),
    denomination: assertPresent(vehicle.denomination),
  };
}

function ownersOf(one: KindAndValue, matches: readonly CanonicalVehicle[]): number {
  const text = identifierText(one);
  return matches
    .flatMap(({ identifiers }) => identifiers)
    .filter((other) => identifierText(other) === text)
    .reduce((next, { rank }) => Math.max(next, rank + 1), 0);
}

/** The vehicle in its registered form: normalized identifiers and description. */
export function registeredForm(vehicle: SubmittedVehicle): Record<string, unknown> {
  const { transmitted: _asSent, ...registered } = vehicle;
  return registered;
}

/** The registered form as it is stored: without absent members. Earlier releases stored null for them. */
export type KeptVehicle = Identifiers &
  Pick<SubmittedVehicle, 'vehicleType' | 'denomination' | 'passengerCapacity' | 'region'> & {
    readonly [Name in MayBeAbsent]?: SubmittedVehicle[Name] | undefined;
  };
type MayBeAbsent =
  | 'vin'
  | 'make'
  | 'model'
  | 'series'
  | 'yearModel'
  | 'caseNumber'
  | 'cpcNumber'
  | 'province'
  | 'route';

/** The stored form of a vehicle. */
export function keptForm(vehicle: SubmittedVehicle): KeptVehicle {
  return {
    plateNumber: vehicle.plateNumber,
    mvFileNumber: vehicle.mvFileNumber,
    engineNumber: vehicle.engineNumber,
    chassisNumber: vehicle.chassisNumber,
    vin: vehicle.vin ?? undefined,
    make: vehicle.make ?? undefined,
    model: vehicle.model ?? undefined,
    series: vehicle.series ?? undefined,
    yearModel: vehicle.yearModel ?? undefined,
    vehicleType: vehicle.vehicleType,
    denomination: vehicle.denomination,
    passengerCapacity: vehicle.passengerCapacity,
    caseNumber: vehicle.caseNumber ?? undefined,
    cpcNumber: vehicle.cpcNumber ?? undefined,
    region: vehicle.region,
    province: vehicle.province ?? undefined,
    route: vehicle.route ?? undefined,
  };
}

/** The identifiers as sent; null if they are the registered ones. */
export function sentOtherwise(vehicle: SubmittedVehicle): Identifiers | null {
  const { transmitted } = vehicle;
  return IDENTIFIER_KINDS.every((kind) => transmitted[kind] === vehicle[kind]) ? null : transmitted;
}
