import { IDENTIFIER_KINDS } from '../../contract/enums.ts';
import { DISCLAIMER } from '../../contract/machine/acknowledgment.ts';
import type { CoverageResult, CoverageSpan } from '../../contract/machine/coverage.ts';
import { coverageStatusOn } from '../coverage-status.ts';
import type { KindAndValue } from '../identifiers.ts';

/**
 * Why a certificate counts on a day: it is in force there, or it was until it was cancelled, or until the vehicle was removed
 * from it (D27).
 */
export type Standing = 'IN_FORCE' | 'CANCELLED' | 'SUPERSEDED';

/** A certificate on a vehicle; the reference is null for a viewer that may not see the record (D17). */
export interface SpanRow extends Omit<CoverageSpan, 'coverageStatus'> {
  readonly standing: Standing;
  /** Order of registration. */
  readonly sequence: number;
}

/** A vehicle that ever had the identifier, and what the registry knows of it on the day. */
export interface OwnerRow {
  /** The identifier that found the vehicle. */
  readonly matched: KindAndValue;
  /** Order in which the vehicles came to the identifier. */
  readonly rank: number;
  readonly vehicle: CoverageResult['vehicle'];
  /** What counts on the day: the certificate in force; else, of those that were, the last registered. */
  readonly coverage: SpanRow | null;
  /** In force, and the first that begins after the day. */
  readonly next: SpanRow | null;
  /** That of the vehicle's last registered certificate, whatever became of it. */
  readonly lastSequence: number;
}

/**
 * D17, D27: of several owners that which is in force, next that which was, decides; each coverageStatus is that of the day
 * asked about (D12). No operator data. Undefined without an owner.
 */
export function presentCoverage(
  owners: readonly OwnerRow[],
  asOf: string,
  expiringWithinDays: number,
): CoverageResult | undefined {
  const [owner] = owners.toSorted(byPrecedence);
  if (owner === undefined) return undefined;
  const present = (span: SpanRow | null): CoverageSpan | null =>
    span && presentSpan(span, asOf, expiringWithinDays);
  return {
    identifier: owner.matched.value,
    matchedBy: owner.matched.kind,
    asOf,
    covered: owner.coverage !== null,
    vehicle: owner.vehicle,
    coverage: present(owner.coverage),
    next: present(owner.next),
    disclaimer: DISCLAIMER,
  };
}

/**
 * Who is covered comes first; then the most specific kind of identifier (D10) and the latest registration. Two vehicles of one
 * certificate: the one that bears the identifier now, or came to it last.
 */
function byPrecedence(one: OwnerRow, other: OwnerRow): number {
  return (
    standingOf(one) - standingOf(other) ||
    kindOf(one) - kindOf(other) ||
    sequenceOf(other) - sequenceOf(one) ||
    Number(bearsIt(other)) - Number(bearsIt(one)) ||
    other.rank - one.rank
  );
}

function standingOf({ coverage }: OwnerRow): number {
  if (coverage === null) return 2;
  return coverage.standing === 'IN_FORCE' ? 0 : 1;
}

function kindOf({ matched }: OwnerRow): number {
  return IDENTIFIER_KINDS.indexOf(matched.kind);
}

function sequenceOf({ coverage, lastSequence }: OwnerRow): number {
  return coverage?.sequence ?? lastSequence;
}

function bearsIt({ matched, vehicle }: OwnerRow): boolean {
  return vehicle[matched.kind] === matched.value;
}

function presentSpan(
  { standing, sequence: _sequence, ...span }: SpanRow,
  asOf: string,
  expiringWithinDays: number,
): CoverageSpan {
  const inForce = { ...span, lifecycle: 'CURRENT' } as const;
  return {
    ...span,
    coverageStatus:
      standing === 'IN_FORCE' ? coverageStatusOn(asOf, inForce, expiringWithinDays) : standing,
  };
}
