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
import type { Claim, Cover, NewIdentifier, Reliance, VehicleRow } from './writes.ts';

export interface PlannedVehicle {
  readonly row: VehicleRow;
  readonly identifiers: readonly NewIdentifier[];
  readonly claims: readonly Claim[];
  /** All that the vehicle is and was ever called, and so what its certificate is in force on. */
  readonly held: readonly KindAndValue[];
  readonly reliesOn: Omit<Reliance, 'policies'>;
}

/**
 * What registering a vehicle on a certificate writes: the canonical vehicle, the identifiers it comes
 * to own, and the cover of every identifier it then owns, the historical ones too: with what nobody owned yet, else as
 * a claim. The older certificates of the vehicle get the new identifiers as well, so that these block where those are in
 * force. `before` is the vehicle as the certificate covers it already.
 */
export function planVehicle(
  match: MatchedVehicle,
  cover: Cover,
  newId: () => string,
  before?: CoveredVehicle,
): PlannedVehicle {
  const { vehicle, matches, canonical } = match;
  const vehicleId = canonical?.id ?? newId();
  const row = makeVehicleRow(vehicle, vehicleId, { isNew: canonical === null, cover: null });
  const owned = canonical?.identifiers ?? [];
  const gained = identifiersBeyond(vehicle, owned).map((one): NewIdentifier => {
    const { kind, value } = one;
    const rank = ownersOf(one, matches);
    return { kind, value, vehicleId, rank, cover: rank === 0 ? cover : null };
  });
  const claimOf =
    (by: Cover, required: boolean) =>
    ({ kind, value }: KindAndValue): Claim => ({ kind, value, cover: by, required });
  const older = (canonical?.certificates ?? []).filter(
    (other) => other.certificateId !== cover.certificateId,
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
      unclaimed: others.map(({ kind, value }) => ({ kind, value, cover })),
      certificates: older
        .filter(() => gained.length > 0)
        .map(({ certificateId: id, revision }) => ({ id, revision })),
    },
    row,
    identifiers: gained,
    claims: [
      ...[...owned, ...gained.filter((one) => one.cover === null)].map(claimOf(cover, true)),
      ...older.flatMap(({ certificateId, period }) =>
        gained.map(claimOf({ certificateId, ...period }, false)),
      ),
    ],
    held: [...owned, ...gained],
  };
}

/** The same of a vehicle that matches none: it comes to own all that it bears, and relies on nothing. */
export function planUnknown({ vehicle }: MatchedVehicle, cover: Cover, id: string): VehicleRow {
  return makeVehicleRow(vehicle, id, { isNew: true, cover });
}

function makeVehicleRow(
  vehicle: SubmittedVehicle,
  id: string,
  { isNew, cover }: Pick<VehicleRow, 'isNew' | 'cover'>,
): VehicleRow {
  return {
    id,
    isNew,
    isRenamed: true,
    cover,
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

/** The vehicle as registered on a certificate: normalized identifiers and description. */
export function registeredForm(vehicle: SubmittedVehicle): Record<string, unknown> {
  const { transmitted: _asSent, ...registered } = vehicle;
  return registered;
}

/** The same as it is kept, which leaves out what is absent; in what earlier releases kept that is null. */
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

/** To be kept as JSON: of most vehicles half of the members. A copy of all, and of that one with what differs, cost several times as much. */
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

/** The identifiers as sent, null where they were sent as they are registered. */
export function sentOtherwise(vehicle: SubmittedVehicle): Identifiers | null {
  const { transmitted } = vehicle;
  return IDENTIFIER_KINDS.every((kind) => transmitted[kind] === vehicle[kind]) ? null : transmitted;
}
