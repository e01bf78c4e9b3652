import { IDENTIFIER_KINDS, type ReferenceMatchResult } from '../../contract/enums.ts';
import { type Finding, type FindingCode, makeFinding } from '../../contract/findings.ts';
import type { Facts, ReferenceVehicle } from '../facts.ts';
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
  const outcomes: ReferenceOutcome[] = [];
  for (const [position, vehicle] of vehicles.entries()) {
    const [code, result, message] = matchVehicle(vehicle, referenceRegions, index);
    outcomes.push({
      result,
      unavailable: code === 'REFERENCE_DATA_UNAVAILABLE',
      finding: makeFinding(code, `vehicles[${position}]`, message),
    });
  }
  return outcomes;
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
  const hits = new Map<string, ReferenceVehicle>();
  for (const one of presentIdentifiers(vehicle)) {
    for (const reference of index.get(identifierText(one)) ?? []) hits.set(reference.id, reference);
  }
  const [reference] = hits.values();
  if (reference === undefined) {
    return ['REFERENCE_NO_MATCH', 'NO_MATCH', 'No identifier is in the reference data.'];
  }
  if (hits.size > 1) {
    return ['REFERENCE_FOR_REVIEW', 'FOR_REVIEW', 'The identifiers belong to different vehicles.'];
  }
  const agreeing = countAgreeing(vehicle, reference);
  if (agreeing === 4) return ['REFERENCE_MATCHED', 'MATCHED', 'All four identifiers match.'];
  return isContradicted(vehicle, reference)
    ? [
        'REFERENCE_FOR_REVIEW',
        'FOR_REVIEW',
        'The plate or MV file is on file for a vehicle with another engine and chassis.',
      ]
    : ['REFERENCE_PARTIAL_MATCH', 'PARTIAL_MATCH', `${agreeing} of 4 identifiers match.`];
}

function countAgreeing(sent: Identifiers, reference: ReferenceVehicle): number {
  let agreeing = 0;
  for (const kind of IDENTIFIER_KINDS) {
    if (sent[kind] !== null && sent[kind] === reference[kind]) agreeing += 1;
  }
  return agreeing;
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
  const index = new Map<string, ReferenceVehicle[]>();
  for (const vehicle of vehicles) {
    for (const one of presentIdentifiers(vehicle)) {
      const text = identifierText(one);
      const known = index.get(text);
      if (known === undefined) index.set(text, [vehicle]);
      else known.push(vehicle);
    }
  }
  return index;
}
