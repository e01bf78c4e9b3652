import { DISCLAIMER } from '../contract/acknowledgment.ts';
import type { CoverageResult, CoverageSpan } from '../contract/coverage.ts';
import { coverageStatusOn } from './coverage-status.ts';
import type { KindAndValue } from './identifiers.ts';

/** A certificate that isn't cancelled; the reference is null for who may not see the record (D17). */
export type SpanRow = Omit<CoverageSpan, 'coverageStatus'>;

/** What the registry knows of a vehicle on a day. */
export interface CoverageRow {
  /** The identifier that found the vehicle. */
  readonly matched: KindAndValue;
  readonly vehicle: CoverageResult['vehicle'];
  /** In force on the day. */
  readonly coverage: SpanRow | null;
  /** The first that begins after the day. */
  readonly next: SpanRow | null;
}

/** D17; each coverageStatus is that of the day asked about (D12). No operator data. */
export function presentCoverage(
  { matched, vehicle, coverage, next }: CoverageRow,
  asOf: string,
  expiringWithinDays: number,
): CoverageResult {
  const present = (span: SpanRow | null): CoverageSpan | null =>
    span && {
      ...span,
      coverageStatus: coverageStatusOn(asOf, { ...span, lifecycle: 'CURRENT' }, expiringWithinDays),
    };
  return {
    identifier: matched.value,
    matchedBy: matched.kind,
    asOf,
    covered: coverage !== null,
    vehicle,
    coverage: present(coverage),
    next: present(next),
    disclaimer: DISCLAIMER,
  };
}
