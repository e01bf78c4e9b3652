import type { Db } from '../../db/prisma.ts';

/**
 * Whether an organization may transmit for an insurer on an issuance date (api.md, "Machine API", 8). It may if it is the
 * insurer, or if it is lead insurer or management company of a pool that had the insurer as a member on that day and is
 * ACTIVE now (D34).
 */
export async function mayActFor(
  db: Db,
  organizationId: string,
  { issuingInsurerId, issuanceDate }: { issuingInsurerId: string; issuanceDate: string },
): Promise<boolean> {
  if (organizationId === issuingInsurerId) return true;
  const rows = await db.$queryRaw<unknown[]>`
    SELECT FROM pool_memberships m JOIN insurance_pools p ON p.organization_id = m.pool_id
    JOIN organizations o ON o.id = m.pool_id AND o.status = 'ACTIVE'
    WHERE m.insurer_id = ${issuingInsurerId}::uuid
      AND ${organizationId}::uuid IN (p.lead_insurer_id, p.management_company_id)
      AND daterange(m.valid_from, m.valid_to, '[]') @> ${issuanceDate}::date
    LIMIT 1`;
  return rows.length > 0;
}
