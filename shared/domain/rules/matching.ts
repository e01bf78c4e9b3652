import { IDENTIFIER_KINDS } from '../../contract/enums.ts';
import { groupBy } from '../group-by.ts';
import { identifierText } from '../identifiers.ts';
import type { SubmittedVehicle } from '../registration/submission.ts';
import type { CanonicalVehicle, OwnedIdentifier } from './facts.ts';

/** A submitted vehicle and the canonical vehicles that its identifiers name (D10). */
export interface MatchedVehicle {
  readonly vehicle: SubmittedVehicle;
  /** Every canonical vehicle that owns one of its identifiers, the most specific match first. */
  readonly matches: readonly CanonicalVehicle[];
  /** The canonical vehicle that was chosen as this vehicle; null when it becomes a new one. */
  readonly canonical: CanonicalVehicle | null;
}

/** True if the identifiers match two or more vehicles, or a vehicle that was chosen for another position. */
export function isIdentifierConflict({ matches, canonical }: MatchedVehicle): boolean {
  return matches.length > 1 || (matches.length === 1 && canonical === null);
}

/**
 * Chooses the canonical vehicle of each submitted vehicle by chassis, then engine, then MV file, then plate number (D10). A
 * canonical vehicle is chosen at most once: if two submitted vehicles match it, the more specific match gets it.
 * `known` has the canonical vehicles of positions that the record already has. Such a position keeps its vehicle as long as one
 * identifier still matches.
 */
export function matchVehicles(
  submitted: readonly SubmittedVehicle[],
  canonicals: readonly CanonicalVehicle[],
  known: ReadonlyMap<number, string> = new Map(),
): MatchedVehicle[] {
  if (canonicals.length === 0) return submitted.map(unmatched);
  const owners = indexOwners(canonicals);
  const candidates = submitted.map((vehicle) => candidatesOf(vehicle, owners));
  const taken = new Map<number, CanonicalVehicle>();
  const takenIds = new Set<string>();
  for (const [position, id] of known) {
    const same = candidates[position]?.find(({ canonical }) => canonical.id === id);
    if (same === undefined) continue;
    taken.set(position, same.canonical);
    takenIds.add(id);
  }
  for (const kind of IDENTIFIER_KINDS) {
    candidates.forEach((list, position) => {
      if (taken.has(position)) return;
      const first = list.find((one) => one.kind === kind && !takenIds.has(one.canonical.id));
      if (first === undefined) return;
      taken.set(position, first.canonical);
      takenIds.add(first.canonical.id);
    });
  }
  return submitted.map((vehicle, position) => ({
    vehicle,
    matches: [...new Set((candidates[position] ?? []).map(({ canonical }) => canonical))],
    canonical: taken.get(position) ?? null,
  }));
}

function unmatched(vehicle: SubmittedVehicle): MatchedVehicle {
  return { vehicle, matches: [], canonical: null };
}

interface Candidate {
  readonly kind: OwnedIdentifier['kind'];
  readonly canonical: CanonicalVehicle;
}
type Owners = ReadonlyMap<string, readonly { rank: number; canonical: CanonicalVehicle }[]>;

function candidatesOf(vehicle: SubmittedVehicle, owners: Owners): Candidate[] {
  return IDENTIFIER_KINDS.flatMap((kind) => {
    const value = vehicle[kind];
    if (value === null) return [];
    return (owners.get(identifierText({ kind, value })) ?? []).map(({ canonical }) => ({
      kind,
      canonical,
    }));
  });
}

function indexOwners(canonicals: readonly CanonicalVehicle[]): Owners {
  const owned = canonicals.flatMap((canonical) =>
    canonical.identifiers.map((one) => ({ text: identifierText(one), rank: one.rank, canonical })),
  );
  owned.sort((one, other) => one.rank - other.rank);
  return groupBy(owned, ({ text }) => text);
}
