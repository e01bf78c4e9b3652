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
 * The certificate number is taken: DUPLICATE_TRANSMISSION with the same vehicles, else
 * COC_ALREADY_REGISTERED (api.md, "Top-level error codes").
 */
export function checkCertificateNumber(
  submission: Submission,
  { registered }: Pick<Facts, 'registered'>,
): Finding[] {
  if (registered === null) return [];
  const sent = submission.vehicles.map(vehicleSignature).sort();
  const held = registered.vehicles.map(vehicleSignature).sort();
  const same = sent.length === held.length && sent.every((one, index) => one === held[index]);
  const { registryReference, lifecycle } = registered;
  const code = same ? 'DUPLICATE_TRANSMISSION' : 'COC_ALREADY_REGISTERED';
  const what = `Already registered as ${registryReference} with ${same ? 'the same' : 'other'} vehicles`;
  const message =
    lifecycle === 'CANCELLED'
      ? `${what}, and cancelled. A cancelled record keeps its numbers: use another certificate number.`
      : `${what}. To change it, amend that record; if you cannot see it, ask the issuing insurer.`;
  return [makeFinding(code, 'certificate.cocNumber', message, registryReference)];
}

/** A vehicle as its own certificate covers it already, on the days in question. */
export interface CoveredVehicle {
  readonly vehicleId: string;
  /** It bears these there, and no other certificate may (D9). */
  readonly identifiers: readonly KindAndValue[];
}

/**
 * One entry per vehicle that is covered on a shared day, whichever insurer covers it
 * (api.md, "VEHICLE_ALREADY_INSURED rules"). Names the insurer and its expiration date, and what was sent.
 * `covered` has positions that stay what they are: only what they come to be called is held against them.
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
    const before = covered.get(index);
    const names = [...ownNames(match, before), ...namesOfOthers(match, before)];
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

/** The identifiers that were sent by which the vehicle is, or once was, one that is covered. */
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
 * Everything that the vehicle is or was ever called (D10); where it is covered already, what it was not called there yet.
 * A name that the vehicle owns already counts: another certificate may hold it on these days.
 */
function ownNames(match: MatchedVehicle, before: CoveredVehicle | undefined): KindAndValue[] {
  const { vehicle, canonical } = match;
  if (stays(match, before)) return identifiersBeyond(vehicle, before.identifiers);
  return [...presentIdentifiers(vehicle), ...(canonical?.identifiers ?? [])];
}

/** Everything that other vehicles it matches were ever called (D10); nothing while it keeps its names. */
export function namesOfOthers(
  match: MatchedVehicle,
  before: CoveredVehicle | undefined,
): readonly KindAndValue[] {
  const keepsNames = stays(match, before) && ownNames(match, before).length === 0;
  return keepsNames ? [] : othersOf(match).flatMap(({ identifiers }) => identifiers);
}

/** Vehicles that it matches and isn't. */
export function othersOf({ matches, canonical }: MatchedVehicle): CanonicalVehicle[] {
  return matches.filter((match) => match !== canonical);
}

function stays(
  { canonical }: MatchedVehicle,
  before: CoveredVehicle | undefined,
): before is CoveredVehicle {
  return before !== undefined && canonical?.id === before.vehicleId;
}

/** Of covers that end on one day the insurer's name decides, so that the same is always named. */
function byLatestEnd(one: Blocker, other: Blocker): number {
  if (one.expirationDate !== other.expirationDate)
    return one.expirationDate < other.expirationDate ? 1 : -1;
  return one.insurerName < other.insurerName ? -1 : 1;
}
