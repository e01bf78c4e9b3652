import type { CoverageStatus, Lifecycle } from '../contract/enums.ts';
import { daysBetween } from './calendar.ts';

export interface CoverageDates {
  readonly lifecycle: Lifecycle;
  readonly effectiveDate: string;
  readonly expirationDate: string;
}

/** The status on the registry's calendar day `today`. It is derived from the dates and never stored (D12). */
export function coverageStatusOn(
  today: string,
  { lifecycle, effectiveDate, expirationDate }: CoverageDates,
  expiringWithinDays: number,
): CoverageStatus {
  if (lifecycle === 'CANCELLED') return 'CANCELLED';
  if (today > expirationDate) return 'EXPIRED';
  if (today < effectiveDate) return 'UPCOMING';
  return daysBetween(today, expirationDate) <= expiringWithinDays ? 'EXPIRING' : 'ACTIVE';
}
