import type { Lifecycle } from '../../contract/enums.ts';
import { Prisma } from '../../db/generated/client.ts';
import { rowOf, rowsWhere } from '../../db/look-up.ts';
import type { Db } from '../../db/prisma.ts';
import type { Viewer } from '../intake/transmissions.ts';

/**
 * The only visibility rule for records (D23), as a condition on the certificate and its policy under these aliases. A record
 * is visible to its issuing insurer, its transmitting organization, its pool, and the pool's current lead insurer and
 * management company. The regulator sees all records.
 */
export function isVisibleTo(
  viewer: Viewer,
  { certificate, policy }: { readonly certificate: string; readonly policy: string } = {
    certificate: 'c',
    policy: 'p',
  },
): Prisma.Sql {
  return isVisible(
    {
      organizationId: Prisma.sql`${viewer.organizationId}::uuid`,
      isRegulator: Prisma.sql`${viewer.isRegulator}::boolean`,
    },
    { certificate, policy },
  );
}

/** The same rule for a viewer whose organization is in columns of the statement. */
export function isVisible(
  {
    organizationId: id,
    isRegulator,
  }: Readonly<Record<'organizationId' | 'isRegulator', Prisma.Sql>>,
  { certificate, policy }: { readonly certificate: string; readonly policy: string },
): Prisma.Sql {
  const [c, p] = [Prisma.raw(certificate), Prisma.raw(policy)];
  return Prisma.sql`(
    ${isRegulator}
    OR ${c}.issuing_insurer_id = ${id}
    OR ${c}.transmitting_organization_id = ${id}
    OR EXISTS (
      SELECT FROM insurance_pools visible_pool
      WHERE visible_pool.organization_id = ${p}.pool_id
        AND ${id} IN (visible_pool.organization_id, visible_pool.lead_insurer_id,
          visible_pool.management_company_id))
  )`;
}

/** The names of a record, and the facts that decide who may change it. */
export interface VisibleCertificate {
  readonly id: string;
  readonly registryReference: string;
  readonly policyNumber: string;
  readonly cocNumber: string;
  /** Of the policy, YYYY-MM-DD. */
  readonly issuanceDate: string;
  readonly issuingInsurerId: string;
  readonly issuingInsurerCode: string;
  readonly transmittingOrganizationId: string;
  readonly lifecycle: Lifecycle;
  readonly currentVersion: number;
}

/**
 * Undefined when the record does not exist or the viewer may not see it: callers cannot tell which (D23).
 */
export async function findVisibleCertificate(
  db: Pick<Db, '$queryRaw'>,
  registryReference: string,
  viewer: Viewer,
): Promise<VisibleCertificate | undefined> {
  const [found] = await db.$queryRaw<VisibleCertificate[]>`
    SELECT c.id, c.registry_reference AS "registryReference", p.policy_number AS "policyNumber",
      c.coc_number AS "cocNumber", p.issuance_date::text AS "issuanceDate",
      c.issuing_insurer_id AS "issuingInsurerId", o.code AS "issuingInsurerCode",
      c.transmitting_organization_id AS "transmittingOrganizationId", c.lifecycle,
      c.current_version AS "currentVersion"
    FROM ${rowsWhere('certificates', Prisma.sql`registry_reference = ${registryReference}`)} c
    CROSS JOIN ${rowOf('policies', 'c.policy_id')} p
    JOIN organizations o ON o.id = c.issuing_insurer_id
    WHERE ${isVisibleTo(viewer)}`;
  return found;
}
