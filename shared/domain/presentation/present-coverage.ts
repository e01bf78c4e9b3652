import { IDENTIFIER_KINDS } from '../../contract/enums.ts';
import { DISCLAIMER } from '../../contract/machine/acknowledgment.ts';
import type { CoverageResult, CoverageSpan } from '../../contract/machine/coverage.ts';
import { coverageStatusOn } from '../coverage-status.ts';
import type { KindAndValue } from '../identifiers.ts';

/**
 * Why a certificate counts on a day: it is in force, or it was in force until it was cancelled (CANCELLED) or until the
 * vehicle was removed from it (SUPERSEDED) (D27).
 */
export type Standing = 'IN_FORCE' | 'CANCELLED' | 'SUPERSEDED';

/** A certificate of a vehicle. The reference is null when the viewer may not see the record (D17). */
export interface SpanRow extends Omit<CoverageSpan, 'coverageStatus'> {
  readonly standing: Standing;
  /** The order of registration. */
  readonly sequence: number;
}

/** A vehicle that has or had the identifier, with its coverage on the day. */
export interface OwnerRow {
  /** The identifier that found the vehicle. */
  readonly matched: KindAndValue;
  /** The order in which the vehicles got the identifier. */
  readonly rank: number;
  readonly vehicle: CoverageResult['vehicle'];
  /** The certificate in force on the day; otherwise the last registered one that was in force then. */
  readonly coverage: SpanRow | null;
  /** The first certificate that begins after the day and is not cancelled. */
  readonly next: SpanRow | null;
  /** The sequence of the vehicle's last registered certificate, in any state. */
  readonly lastSequence: number;
}

/**
 * The coverage of the identifier on the day `asOf` (D17, D27). Of several owners, one with coverage in force is preferred, then
 * one with former coverage. Each coverageStatus is the status on that day (D12). The result has no operator data. Undefined
 * without an owner.
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
 * A covered vehicle comes first, then the most specific kind of identifier (D10), then the latest registration. Of two vehicles
 * of one certificate, the vehicle that has the identifier now comes first, otherwise the vehicle that got it last.
 */
function byPrecedence(one: OwnerRow, other: OwnerRow): number {
  return (
    standingOf(one) - standingOf(other) ||
    kindOf(one) - kindOf(other) ||
    sequenceOf(other) - sequenceOf(one) ||
    Number(hasItNow(other)) - Number(hasItNow(one)) ||
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

function hasItNow({ matched, vehicle }: OwnerRow): boolean {
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
