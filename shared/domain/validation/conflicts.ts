import { type Finding, makeFinding } from '../../contract/findings.ts';
import type { Blocker, Facts } from '../facts.ts';
import { groupBy } from '../group-by.ts';
import { identifierText, type KindAndValue, presentIdentifiers } from '../identifiers.ts';
import type { MatchedVehicle } from '../matching.ts';
import { type Submission, vehicleSignature } from '../submission.ts';

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
  return [
    same
      ? makeFinding(
          'DUPLICATE_TRANSMISSION',
          'certificate.cocNumber',
          `Already registered as ${registered.registryReference} with the same vehicles.`,
          registered.registryReference,
        )
      : makeFinding(
          'COC_ALREADY_REGISTERED',
          'certificate.cocNumber',
          `Already registered as ${registered.registryReference} with other vehicles; amend that record.`,
          registered.registryReference,
        ),
  ];
}

/**
 * One entry per vehicle that is covered on a shared day, whichever insurer covers it
 * (api.md, "VEHICLE_ALREADY_INSURED rules"). Names the insurer and its expiration date, nothing else. `unmoved`
 * are positions with the canonical vehicle that their own certificate covers on these days already.
 */
export function checkCoverage(
  matched: readonly MatchedVehicle[],
  { blockers, registered }: Pick<Facts, 'blockers' | 'registered'>,
  unmoved: ReadonlyMap<number, string> = new Map(),
): Finding[] {
  const byIdentifier = groupBy(
    blockers.filter((blocker) => blocker.certificateId !== registered?.certificateId),
    identifierText,
  );
  return matched.flatMap((match, index) => {
    const isUnmoved = match.canonical !== null && match.canonical.id === unmoved.get(index);
    const names = isUnmoved ? gainedNames(match) : allNames(match);
    const [blocker] = names
      .flatMap((one) => byIdentifier.get(identifierText(one)) ?? [])
      .sort(byLatestEnd);
    return blocker === undefined
      ? []
      : makeFinding(
          'VEHICLE_ALREADY_INSURED',
          `vehicles[${index}].plateNumber`,
          `Already covered by ${blocker.insurerName} until ${blocker.expirationDate}.`,
        );
  });
}

/** Everything that the vehicle, or one that it matches, was ever called (D10). */
function allNames({ vehicle, matches }: MatchedVehicle): KindAndValue[] {
  return [...presentIdentifiers(vehicle), ...matches.flatMap((match) => match.identifiers)];
}

/** What the vehicle was not called yet, and what others that this matches are called; nothing when it gains nothing. */
function gainedNames({ vehicle, matches, canonical }: MatchedVehicle): KindAndValue[] {
  const owned = new Set(canonical?.identifiers.map(identifierText));
  const gained = presentIdentifiers(vehicle).filter((one) => !owned.has(identifierText(one)));
  if (gained.length === 0) return [];
  const others = matches.filter((match) => match !== canonical);
  return [...gained, ...others.flatMap((match) => match.identifiers)];
}

/** Of covers that end on one day the insurer's name decides, so that the same is always named. */
function byLatestEnd(one: Blocker, other: Blocker): number {
  if (one.expirationDate !== other.expirationDate)
    return one.expirationDate < other.expirationDate ? 1 : -1;
  return one.insurerName < other.insurerName ? -1 : 1;
}
