import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import { isDate } from '../calendar.ts';
import { INSURERS } from './organizations.ts';
import { named } from './reading/read-body.ts';
import type { Entry, Ids, ModelRecord, ModelState } from './state.ts';

/** The canonical vehicles that match a submitted vehicle (D10). */
export interface Match {
  /** Every canonical vehicle that owns one of its identifiers. */
  readonly owners: readonly number[];
  /** The chosen canonical vehicle; undefined for a new vehicle. */
  readonly canonical: number | undefined;
}

/**
 * Chassis, then engine, then MV file, then plate decides; a canonical vehicle is chosen only once. `known` are
 * the vehicles of an amended record: they keep their canonical vehicle while they keep one of its identifiers.
 */
export function match(
  state: ModelState,
  vehicles: readonly { readonly ids: Ids }[],
  known: readonly (number | undefined)[],
): Match[] {
  const owners = vehicles.map(({ ids }) => [
    ...new Set(named(ids).flatMap((one) => state.owners[one] ?? [])),
  ]);
  const chosen = owners.map((each, index) => each.find((one) => one === known[index]));
  const taken = new Set(chosen.filter((one) => one !== undefined));
  for (const kind of IDENTIFIER_KINDS) {
    vehicles.forEach(({ ids }, index) => {
      if (chosen[index] !== undefined) return;
      const free = (state.owners[`${kind}:${ids[kind]}`] ?? []).find((one) => !taken.has(one));
      if (free === undefined) return;
      chosen[index] = free;
      taken.add(free);
    });
  }
  return owners.map((each, index) => ({ owners: each, canonical: chosen[index] }));
}

/** The identifiers belong to several vehicles, or to one that was chosen for another vehicle of the submission. */
export function isConflict({ owners, canonical }: Match): boolean {
  return owners.length > 1 || (owners.length === 1 && canonical === undefined);
}

export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Undefined when the dates contain no day. */
export function periodOf(from: string | null, to: string | null): Period | undefined {
  if (from === null || to === null || !isDate(from) || !isDate(to) || from > to) return undefined;
  return { from, to };
}

export function isSharing(one: Period, record: ModelRecord): boolean {
  return one.from <= record.expirationDate && record.effectiveDate <= one.to;
}

/** The current entries of a record. */
export function present(record: ModelRecord): Entry[] {
  return record.entries.filter(({ removedInVersion }) => removedInVersion === null);
}

/** Records, except one, that are in force on a day of the period and hold one of the identifiers (D9). */
export function holders(
  state: ModelState,
  identifiers: ReadonlySet<string>,
  period: Period,
  except: string | undefined,
): ModelRecord[] {
  return state.records.filter(
    (record) =>
      record.key !== except &&
      record.lifecycle === 'CURRENT' &&
      isSharing(period, record) &&
      present(record).some(({ held }) => held.some((one) => identifiers.has(one))),
  );
}

/** VEHICLE_ALREADY_INSURED for the vehicle at an index, with the insurer of the longest cover; empty when nothing blocks it. */
export function insuredFinding(index: number, blocking: readonly ModelRecord[]): string[] {
  const latest = blocking
    .map(({ expirationDate }) => expirationDate)
    .sort()
    .at(-1);
  const [name] = blocking
    .filter(({ expirationDate }) => expirationDate === latest)
    .map(({ insurer }) => INSURERS[insurer]?.name ?? insurer)
    .sort();
  return latest === undefined
    ? []
    : [`VEHICLE_ALREADY_INSURED vehicles[${index}].plateNumber by ${name} until ${latest}`];
}

/** All identifiers that the submitted vehicle, or a vehicle that it matches, ever had. */
export function everyName(state: ModelState, ids: Ids, owners: readonly number[]): Set<string> {
  return new Set([...named(ids), ...owners.flatMap((owner) => state.vehicles[owner]?.owned ?? [])]);
}

/**
 * Gives the submitted identifiers to the canonical vehicle. Its other certificates in force also hold the new ones,
 * unless another certificate holds them on the same days. Returns the index of the vehicle.
 */
export function adopt(state: ModelState, ids: Ids, canonical: number | undefined): number {
  const place = canonical ?? state.vehicles.length;
  const vehicle = state.vehicles[place] ?? { current: ids, owned: [] };
  state.vehicles[place] = vehicle;
  vehicle.current = ids;
  const gained = named(ids).filter((one) => !vehicle.owned.includes(one));
  for (const one of gained) {
    vehicle.owned.push(one);
    state.owners[one] = [...(state.owners[one] ?? []), place];
    for (const record of state.records) {
      const period = { from: record.effectiveDate, to: record.expirationDate };
      const entries = present(record).filter((entry) => entry.canonical === place);
      if (record.lifecycle !== 'CURRENT' || entries.length === 0) continue;
      if (holders(state, new Set([one]), period, record.key).length > 0) continue;
      for (const entry of entries) entry.held.push(one);
    }
  }
  return place;
}
