import { Prisma } from '../../../db/generated/client.ts';
import { rowOf, rowsWhere } from '../../../db/look-up.ts';
import type { SummaryRow } from '../../../domain/presentation/present-summary.ts';
import type { SubmittedOperator } from '../../../domain/registration/submission.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';

// Several statements build this JSON from a certificate `c`, its policy `p` and their organizations. Sealed values leave the
// database as base64, and this folder opens them.

/** The summary of the organization with this alias; null where an outer join found none. */
export function organizationJson(alias: string): Prisma.Sql {
  const o = Prisma.raw(alias);
  return Prisma.sql`CASE WHEN ${o}.id IS NOT NULL THEN
    json_build_object('id', ${o}.id, 'code', ${o}.code, 'name', ${o}.name, 'type', ${o}.type) END`;
}

/**
 * A subquery for the number of days before expiry that count as EXPIRING (D12), from the rule set that is active at
 * `now`.
 */
export function expiringWithinDaysAt(now: Date): Prisma.Sql {
  return Prisma.sql`(SELECT expiring_within_days FROM rule_sets WHERE active_from <= ${now}
    ORDER BY active_from DESC, created_at DESC LIMIT 1)`;
}

/** The tables that `SUMMARY_JSON` reads, for the certificates that meet the condition. */
export function summaryTables(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${rowsWhere('certificates', condition)} c
  CROSS JOIN ${rowOf('policies', 'c.policy_id')} p
  JOIN organizations insurer ON insurer.id = c.issuing_insurer_id
  JOIN organizations transmitter ON transmitter.id = c.transmitting_organization_id
  LEFT JOIN organizations pool ON pool.id = p.pool_id`;
}

export const SUMMARY_JSON = Prisma.sql`json_build_object(
  'id', c.id, 'registryReference', c.registry_reference, 'policyNumber', p.policy_number,
  'cocNumber', c.coc_number, 'effectiveDate', c.effective_date, 'expirationDate', c.expiration_date,
  'lifecycle', c.lifecycle, 'currentVersion', c.current_version,
  'issuingInsurer', ${organizationJson('insurer')}, 'transmittingOrg', ${organizationJson('transmitter')},
  'pool', ${organizationJson('pool')}, 'operatorId', c.operator_id,
  'operatorSealed', encode(c.operator_sealed, 'base64'), 'region', c.operator_region,
  'plateNumbers', (
    SELECT coalesce(json_agg(cv.registered->>'plateNumber' ORDER BY cv.ordinal), '[]')
    FROM certificate_vehicles cv WHERE cv.certificate_id = c.id AND cv.removed_in_version IS NULL),
  'openFlagCount', (
    SELECT count(*) FROM flags f WHERE f.certificate_id = c.id AND f.status = 'OPEN'),
  'registeredAt', c.registered_at)`;

export interface SealedSummary extends Omit<SummaryRow, 'operator'> {
  readonly operatorId: string;
  readonly operatorSealed: string;
}

/** Throws SealError when the operator was sealed for another place or under a lost key. */
export function openSummary(
  keyring: Keyring,
  { operatorId, operatorSealed, ...summary }: SealedSummary,
): SummaryRow {
  return { ...summary, operator: openJson<SubmittedOperator>(keyring, operatorSealed, operatorId) };
}

/** Opens a value that was sealed as JSON with this associated data. */
export function openJson<Value>(keyring: Keyring, base64: string, associatedData: string): Value {
  return JSON.parse(
    keyring.open(Buffer.from(base64, 'base64'), associatedData).toString(),
  ) as Value;
}
