import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';

// The state of the coverage rules for one family: vehicles that share names only with each other.

/** A name is an identifier kind and one of the family's two values for it. `undefined` stands for a unique identifier. */
export type Name = number;
export const VALUES = 2;
export const NAMES: readonly Name[] = Array.from(
  { length: IDENTIFIER_KINDS.length * VALUES },
  (_, name) => name,
);

/** By kind, in the order of IDENTIFIER_KINDS. */
export type Names = readonly (Name | undefined)[];

/** Calendar dates, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** A canonical vehicle (D10). Its index in the list identifies it. */
export interface Vehicle {
  readonly current: Names;
  readonly owned: readonly Name[];
}

export interface Certificate extends Period {
  /** Key of the transmission that registered it. */
  readonly key: string;
  readonly insurer: string;
  readonly vehicle: number;
  readonly names: Names;
  /** Names that no other certificate may have on the same days (D9). */
  readonly held: readonly Name[];
  readonly isCancelled: boolean;
  readonly version: number;
}

export interface FamilyState {
  readonly vehicles: readonly Vehicle[];
  /** The vehicles that own each name, in the order in which they got it. */
  readonly owners: readonly (readonly number[])[];
  readonly certificates: readonly Certificate[];
  /** Outcome of each transmission that took effect, by key. */
  readonly outcomes: Readonly<Record<string, string>>;
}

export const EMPTY: FamilyState = {
  vehicles: [],
  owners: NAMES.map(() => []),
  certificates: [],
  outcomes: {},
};

export function present(names: Names): Name[] {
  return names.filter((name) => name !== undefined);
}

/** Certificates, except one, that are in force on a day of the period and hold one of the names. */
export function holders(
  state: FamilyState,
  names: readonly Name[],
  period: Period,
  except?: string,
): Certificate[] {
  return state.certificates.filter(
    (one) =>
      one.key !== except &&
      !one.isCancelled &&
      one.from <= period.to &&
      period.from <= one.to &&
      one.held.some((name) => names.includes(name)),
  );
}

/** The finding that names the insurer of the cover that lasts longest; undefined when there is none. */
export function refusal(blocking: readonly Certificate[]): string | undefined {
  const last = blocking
    .map(({ to }) => to)
    .sort()
    .at(-1);
  const [insurer] = blocking
    .filter(({ to }) => to === last)
    .map((one) => one.insurer)
    .sort();
  return insurer === undefined ? undefined : `VEHICLE_ALREADY_INSURED by ${insurer} until ${last}`;
}

/** The names, and all names that their owners ever had. */
export function everyName(
  state: FamilyState,
  names: readonly Name[],
  owners: readonly number[],
): Name[] {
  return [...names, ...owners.flatMap((owner) => state.vehicles[owner]?.owned ?? [])];
}

export function ownersOf(state: FamilyState, names: readonly Name[]): number[] {
  return [...new Set(names.flatMap((name) => state.owners[name] ?? []))];
}

/**
 * Gives the names to the vehicle. Its other certificates also hold the names that it gains, unless another certificate holds them
 * on their days (D10). `place` is undefined for a new vehicle.
 */
export function adopt(
  state: FamilyState,
  names: Names,
  place: number = state.vehicles.length,
): FamilyState {
  const owned = state.vehicles[place]?.owned ?? [];
  const gained = present(names).filter((name) => !owned.includes(name));
  const vehicles = [...state.vehicles];
  vehicles[place] = { current: names, owned: [...owned, ...gained] };
  const owners = [...state.owners];
  let { certificates } = state;
  for (const name of gained) {
    owners[name] = [...(owners[name] ?? []), place];
    for (const { key, isCancelled, vehicle, from, to } of certificates) {
      if (isCancelled || vehicle !== place) continue;
      if (holders({ ...state, certificates }, [name], { from, to }, key).length > 0) continue;
      certificates = certificates.map((one) =>
        one.key === key && !one.held.includes(name) ? { ...one, held: [...one.held, name] } : one,
      );
    }
  }
  return { ...state, vehicles, owners, certificates };
}

/** The same text for states that differ only in the order of unordered parts. */
export function identityOf({ vehicles, owners, certificates, outcomes }: FamilyState): string {
  // Each vehicle was created by a certificate, and each certificate has one vehicle.
  const founders = vehicles.map((_, place) =>
    certificates
      .filter(({ vehicle }) => vehicle === place)
      .map(({ key }) => key)
      .sort()
      .join('+'),
  );
  return JSON.stringify([
    vehicles
      .map(({ current, owned }, place) => JSON.stringify([founders[place], current, sorted(owned)]))
      .sort(),
    owners.map((places) => places.map((place) => founders[place])),
    certificates
      .map((one) =>
        JSON.stringify({ ...one, vehicle: founders[one.vehicle], held: sorted(one.held) }),
      )
      .sort(),
    Object.entries(outcomes).map(String).sort(),
  ]);
}

function sorted(names: readonly Name[]): Name[] {
  return names.toSorted((one, other) => one - other);
}
