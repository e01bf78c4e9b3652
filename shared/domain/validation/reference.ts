import type { ReferenceMatchResult } from '../../contract/enums.ts';
import { type Finding, type FindingCode, makeFinding } from '../../contract/findings.ts';
import type { Facts, ReferenceVehicle } from '../facts.ts';
import { groupBy } from '../group-by.ts';
import { type Identifiers, identifierText, presentIdentifiers } from '../identifiers.ts';
import type { Submission, SubmittedVehicle } from '../submission.ts';

export interface ReferenceOutcome {
  readonly result: ReferenceMatchResult;
  /** True when the region has no reference data: a warning, never a flag (D21). */
  readonly unavailable: boolean;
  readonly finding: Finding;
}

/** Level 4 of "Validation levels" (D21): one outcome a vehicle; never rejects. */
export function checkReference(
  { vehicles }: Submission,
  { referenceRegions, referenceVehicles }: Pick<Facts, 'referenceRegions' | 'referenceVehicles'>,
): ReferenceOutcome[] {
  const index = indexReference(referenceVehicles);
  return vehicles.map((vehicle, position) => {
    const [code, result, message] = matchVehicle(vehicle, referenceRegions, index);
    return {
      result,
      unavailable: code === 'REFERENCE_DATA_UNAVAILABLE',
      finding: makeFinding(code, `vehicles[${position}]`, message),
    };
  });
}

type Match = readonly [code: FindingCode, result: ReferenceMatchResult, message: string];

function matchVehicle(
  vehicle: SubmittedVehicle,
  regions: readonly string[],
  index: ReadonlyMap<string, readonly ReferenceVehicle[]>,
): Match {
  if (vehicle.region === null || !regions.includes(vehicle.region)) {
    return [
      'REFERENCE_DATA_UNAVAILABLE',
      'FOR_REVIEW',
      'There is no reference data for this region; the vehicle was not checked.',
    ];
  }
  const identifiers = presentIdentifiers(vehicle);
  const hits = new Map(
    identifiers
      .flatMap((one) => index.get(identifierText(one)) ?? [])
      .map((reference) => [reference.id, reference]),
  );
  const [reference] = hits.values();
  if (reference === undefined) {
    return ['REFERENCE_NO_MATCH', 'NO_MATCH', 'No identifier is in the reference data.'];
  }
  if (hits.size > 1) {
    return ['REFERENCE_FOR_REVIEW', 'FOR_REVIEW', 'The identifiers belong to different vehicles.'];
  }
  const agreeing = identifiers.filter(({ kind, value }) => reference[kind] === value).length;
  if (agreeing === 4) return ['REFERENCE_MATCHED', 'MATCHED', 'All four identifiers match.'];
  return isContradicted(vehicle, reference)
    ? [
        'REFERENCE_FOR_REVIEW',
        'FOR_REVIEW',
        'The plate or MV file is on file for a vehicle with another engine and chassis.',
      ]
    : ['REFERENCE_PARTIAL_MATCH', 'PARTIAL_MATCH', `${agreeing} of 4 identifiers match.`];
}

/**
 * The papers name one vehicle, the metal another: engine and chassis are both on file with other values.
 * A single differing identifier is a partial match.
 */
function isContradicted(sent: Identifiers, reference: ReferenceVehicle): boolean {
  return (['engineNumber', 'chassisNumber'] as const).every(
    (kind) => sent[kind] !== null && reference[kind] !== null && sent[kind] !== reference[kind],
  );
}

function indexReference(
  vehicles: readonly ReferenceVehicle[],
): ReadonlyMap<string, readonly ReferenceVehicle[]> {
  const entries = vehicles.flatMap((vehicle) =>
    presentIdentifiers(vehicle).map((one) => [identifierText(one), vehicle] as const),
  );
  return new Map(
    [...groupBy(entries, ([text]) => text)].map(([text, group]) => [
      text,
      group.map(([, vehicle]) => vehicle),
    ]),
  );
}
