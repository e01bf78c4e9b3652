import {
  IDENTIFIER_KINDS,
  type IdentifierKind,
  type ReferenceMatchResult,
} from '../../contract/enums.ts';
import { type Finding, type FindingCode, makeFinding } from '../../contract/findings.ts';
import { type Amending, fieldOf } from '../amendment/amending.ts';
import { type Identifiers, identifierText, presentIdentifiers } from '../identifiers.ts';
import { inWords } from '../presentation/in-words.ts';
import type { Submission, SubmittedVehicle } from '../registration/submission.ts';
import type { Facts, ReferenceVehicle } from './facts.ts';

export interface ReferenceOutcome {
  readonly result: ReferenceMatchResult;
  /** True when the region has no reference data: a warning, never a flag (D21). */
  readonly unavailable: boolean;
  readonly finding: Finding;
}

/** Level 4 of "Validation levels" (D21): one outcome for each vehicle. It never rejects. */
export function checkReference(
  { vehicles }: Submission,
  { referenceRegions, referenceVehicles }: Pick<Facts, 'referenceRegions' | 'referenceVehicles'>,
  amending?: Amending,
): ReferenceOutcome[] {
  const index = indexReference(referenceVehicles);
  const outcomes: ReferenceOutcome[] = [];
  for (const [position, vehicle] of vehicles.entries()) {
    const [code, result, message] = matchVehicle(vehicle, referenceRegions, index);
    outcomes.push({
      result,
      unavailable: code === 'REFERENCE_DATA_UNAVAILABLE',
      finding: makeFinding(code, fieldOf(amending, `vehicles[${position}]`), message),
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
  const hits = new Map<ReferenceVehicle, IdentifierKind[]>();
  for (const one of presentIdentifiers(vehicle)) {
    for (const reference of index.get(identifierText(one)) ?? []) {
      hits.set(reference, [...(hits.get(reference) ?? []), one.kind]);
    }
  }
  const [hit] = hits;
  if (hit === undefined) {
    return ['REFERENCE_NO_MATCH', 'NO_MATCH', 'No identifier is in the reference data.'];
  }
  if (hits.size > 1) {
    const owners = [...hits.values()].map(
      (kinds, at) => `${at === 0 ? 'one has' : 'another has'} the ${inWords(kinds)}`,
    );
    return [
      'REFERENCE_FOR_REVIEW',
      'FOR_REVIEW',
      `The identifiers belong to ${hits.size} vehicles of the reference data: ${owners.join(', ')}.`,
    ];
  }
  const [reference, agreeing] = hit;
  if (agreeing.length === 4) {
    return ['REFERENCE_MATCHED', 'MATCHED', 'All four identifiers match.'];
  }
  return isContradicted(vehicle, reference)
    ? [
        'REFERENCE_FOR_REVIEW',
        'FOR_REVIEW',
        `On file for a vehicle with another engineNumber and chassisNumber: ${inWords(agreeing)}.`,
      ]
    : ['REFERENCE_PARTIAL_MATCH', 'PARTIAL_MATCH', partialMatch(vehicle, reference, agreeing)];
}

/** Names the identifiers that differ, never the values on file. */
function partialMatch(
  sent: Identifiers,
  reference: ReferenceVehicle,
  agreeing: readonly IdentifierKind[],
): string {
  const others = IDENTIFIER_KINDS.filter((kind) => sent[kind] !== null && !agreeing.includes(kind));
  const differing = others.filter((kind) => reference[kind] !== null);
  const unfiled = others.filter((kind) => reference[kind] === null);
  return [
    `Found in the reference data by ${inWords(agreeing)}.`,
    ...(differing.length === 0 ? [] : [`Different there: ${inWords(differing)}.`]),
    ...(unfiled.length === 0 ? [] : [`Not on file there: ${inWords(unfiled)}.`]),
  ].join(' ');
}

/**
 * True if engine and chassis number are both on file with other values: the papers name one vehicle, the metal another.
 * A single different identifier is a partial match.
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
