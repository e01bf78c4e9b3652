import type { Lifecycle, Region } from '../../contract/enums.ts';
import type { OrganizationSummary, RecordSummary } from '../../contract/machine/record.ts';
import { coverageStatusOn } from '../coverage-status.ts';
import type { SubmittedOperator } from '../registration/submission.ts';

/** The day for which a record's status is computed (D8), and the days before its end in which it is EXPIRING (D12). */
export interface Day {
  /** YYYY-MM-DD in the registry's time zone. */
  readonly today: string;
  readonly expiringWithinDays: number;
}

/** The data of a record summary. Calendar dates are YYYY-MM-DD, times ISO 8601 with an offset. */
export interface SummaryRow {
  readonly id: string;
  readonly registryReference: string;
  readonly policyNumber: string;
  readonly cocNumber: string;
  readonly effectiveDate: string;
  readonly expirationDate: string;
  readonly lifecycle: Lifecycle;
  readonly currentVersion: number;
  readonly issuingInsurer: OrganizationSummary;
  readonly transmittingOrg: OrganizationSummary;
  readonly pool: OrganizationSummary | null;
  readonly operator: SubmittedOperator;
  readonly region: Region;
  /** The plates of the vehicles that are on the certificate now, in their order. */
  readonly plateNumbers: readonly string[];
  readonly openFlagCount: number;
  readonly registeredAt: string;
}

/** The record summary of api.md. */
export function presentSummary(row: SummaryRow, day: Day): RecordSummary {
  return {
    id: row.id,
    registryReference: row.registryReference,
    policyNumber: row.policyNumber,
    cocNumber: row.cocNumber,
    effectiveDate: row.effectiveDate,
    expirationDate: row.expirationDate,
    coverageStatus: coverageStatusOn(day.today, row, day.expiringWithinDays),
    lifecycle: row.lifecycle,
    currentVersion: row.currentVersion,
    issuingInsurer: row.issuingInsurer,
    transmittingOrg: row.transmittingOrg,
    pool: row.pool,
    operatorName: row.operator.name ?? '',
    region: row.region,
    plateNumbers: [...row.plateNumbers],
    vehicleCount: row.plateNumbers.length,
    openFlagCount: row.openFlagCount,
    registeredAt: timestampOf(row.registeredAt),
  };
}

/** The form of every time in an answer: UTC with milliseconds. */
export function timestampOf(text: string): string {
  return new Date(text).toISOString();
}

export function timestampOrNull(text: string | null): string | null {
  return text === null ? null : timestampOf(text);
}
