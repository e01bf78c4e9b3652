import { type Finding, makeFinding } from '../../contract/findings.ts';
import { type Amending, fieldOf } from '../amendment/amending.ts';
import { groupBy } from '../group-by.ts';
import {
  identifiersBeyond,
  identifierText,
  type KindAndValue,
  presentIdentifiers,
} from '../identifiers.ts';
import { inWords } from '../presentation/in-words.ts';
import { type Submission, vehicleSignature } from '../registration/submission.ts';
import type { Blocker, CanonicalVehicle, Facts } from './facts.ts';
import type { MatchedVehicle } from './matching.ts';

/**
 * A certificate number that is already registered is DUPLICATE_TRANSMISSION with the same vehicles, otherwise
 * COC_ALREADY_REGISTERED (api.md, "Top-level error codes").
 */
export function checkCertificateNumber(
  submission: Submission,
  { registered }: Pick<Facts, 'registered'>,
): Finding[] {
  if (registered === null) return [];
  const sent = submission.vehicles.map(vehicleSignature).sort();
  const known = registered.vehicles.map(vehicleSignature).sort();
  const same = sent.length === known.length && sent.every((one, index) => one === known[index]);
  const { registryReference, lifecycle } = registered;
  const code = same ? 'DUPLICATE_TRANSMISSION' : 'COC_ALREADY_REGISTERED';
  const what = `Already registered as ${registryReference} with ${same ? 'the same' : 'other'} vehicles`;
  const message =
    lifecycle === 'CANCELLED'
      ? `${what}, and cancelled. A cancelled record keeps its numbers: use another certificate number.`
      : `${what}. To change it, amend that record; if you cannot see it, ask the issuing insurer.`;
  return [makeFinding(code, 'certificate.cocNumber', message, registryReference)];
}

/** A vehicle that its own certificate already covers on the same days. */
export interface CoveredVehicle {
  readonly vehicleId: string;
  /** Its identifiers on that certificate. No other certificate may cover them on these days (D9). */
  readonly identifiers: readonly KindAndValue[];
}

/**
 * One finding for each vehicle that another certificate of any insurer covers on a shared day
 * (api.md, "VEHICLE_ALREADY_INSURED rules"). It names the insurer, the expiration date and the sent identifiers that match.
 * `covered` lists positions that the amended certificate already covers: only their new identifiers can conflict.
 */
export function checkCoverage(
  matched: readonly MatchedVehicle[],
  { blockers, registered }: Pick<Facts, 'blockers' | 'registered'>,
  covered: ReadonlyMap<number, CoveredVehicle> = new Map(),
  amending?: Amending,
): Finding[] {
  const byIdentifier = groupBy(
    blockers.filter((blocker) => blocker.certificateId !== registered?.certificateId),
    identifierText,
  );
  if (byIdentifier.size === 0) return [];
  return matched.flatMap((match, index) => {
    const current = covered.get(index);
    const names = [...ownNames(match, current), ...namesOfOthers(match, current)];
    const [blocker] = names
      .flatMap((one) => byIdentifier.get(identifierText(one)) ?? [])
      .sort(byLatestEnd);
    if (blocker === undefined) return [];
    const { insurerName, expirationDate } = blocker;
    const blocked = new Set(names.map(identifierText).filter((text) => byIdentifier.has(text)));
    const sent = namingBlocked(match, blocked);
    const paths = sent.map(({ kind }) => `vehicles[${index}].${kind}`);
    return makeFinding(
      'VEHICLE_ALREADY_INSURED',
      fieldOf(amending, `vehicles[${index}].plateNumber`, ...paths),
      `Already covered by ${insurerName} until ${expirationDate}. Matched by ${inWords(sent.map(({ kind, value }) => `${kind} ${value}`))}.`,
    );
  });
}

/** The sent identifiers that lead to the blocked ones, directly or through a vehicle that owns both. */
function namingBlocked(
  { vehicle, matches }: MatchedVehicle,
  blocked: ReadonlySet<string>,
): KindAndValue[] {
  const isBlocked = (one: KindAndValue) => blocked.has(identifierText(one));
  const found = new Set(
    matches.flatMap(({ identifiers }) =>
      identifiers.some(isBlocked) ? identifiers.map(identifierText) : [],
    ),
  );
  return presentIdentifiers(vehicle).filter(
    (one) => isBlocked(one) || found.has(identifierText(one)),
  );
}

/**
 * All present and former identifiers of the vehicle (D10). For a vehicle that the certificate already covers, only the
 * identifiers that are new there; even one that the vehicle already owns may be covered by another certificate.
 */
function ownNames(match: MatchedVehicle, current: CoveredVehicle | undefined): KindAndValue[] {
  const { vehicle, canonical } = match;
  if (isSameVehicle(match, current)) return identifiersBeyond(vehicle, current.identifiers);
  return [...presentIdentifiers(vehicle), ...(canonical?.identifiers ?? [])];
}

/** All identifiers of the conflicting vehicles (D10). None for a covered vehicle that keeps its identifiers. */
export function namesOfOthers(
  match: MatchedVehicle,
  current: CoveredVehicle | undefined,
): readonly KindAndValue[] {
  const keepsNames = isSameVehicle(match, current) && ownNames(match, current).length === 0;
  return keepsNames ? [] : othersOf(match).flatMap(({ identifiers }) => identifiers);
}

/** The conflicting vehicles: matches that were not chosen as this vehicle (D10). */
export function othersOf({ matches, canonical }: MatchedVehicle): CanonicalVehicle[] {
  return matches.filter((match) => match !== canonical);
}

function isSameVehicle(
  { canonical }: MatchedVehicle,
  current: CoveredVehicle | undefined,
): current is CoveredVehicle {
  return current !== undefined && canonical?.id === current.vehicleId;
}

/** The latest expiration date first. The insurer's name breaks ties, so that the message is deterministic. */
function byLatestEnd(one: Blocker, other: Blocker): number {
  if (one.expirationDate !== other.expirationDate)
    return one.expirationDate < other.expirationDate ? 1 : -1;
  return one.insurerName < other.insurerName ? -1 : 1;
}
