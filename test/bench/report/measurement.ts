/** What one scenario measured of one subject in one round. */
export interface Measurement {
  readonly scenario: string;
  readonly subject: string;
  readonly round: number;
  readonly figures: Readonly<Record<string, number>>;
  /** Wrong results, such as a certificate that was lost. Empty as a rule. */
  readonly faults: readonly string[];
}

/** Share of the machine that other programs may take before a round no longer counts. */
export const OTHERS_SHARE_MAX = 0.1;

/** A round is valid when its results are right and the benchmark had the machine for itself. */
export function isValid({ figures, faults }: Measurement): boolean {
  return faults.length === 0 && (figures['othersShare'] ?? 0) <= OTHERS_SHARE_MAX;
}

// Names of scenarios and subjects, as the report shows them and the goals refer to them.

export const registrationOf = (vehicles: number): string => `registration/${vehicles}`;
export const ALONE = 'small tenant/alone';
export const BESIDE_BULK = 'small tenant/beside a bulk load';
export const ONE_TENANT = 'tenants/1';
export const MANY_TENANTS = 'tenants/40';
export const BATCH = 'batch';
export const TEN_THOUSAND = 'registered/10,000';
export const TEN_MILLION = 'registered/10,000,000';

/** Subjects that are no build of the registry. */
export const SQL_LIMIT = 'SQL limit';
export const NAIVE = 'naive';
