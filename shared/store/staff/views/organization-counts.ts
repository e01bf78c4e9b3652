import {
  type OrganizationCounts,
  POLICIES_COUNTED_MAX,
} from '../../../contract/staff/organizations.ts';
import type { Db } from '../../../db/prisma.ts';

/** `today` is the registry's date. Each count reads an index of the organization, or of what is open or parked. */
export async function countForOrganization(
  db: Pick<Db, '$queryRaw'>,
  organizationId: string,
  today: string,
): Promise<OrganizationCounts> {
  const [row] = await db.$queryRaw<OrganizationCounts[]>`
    SELECT
      (SELECT count(*)::int FROM api_clients WHERE organization_id = o.id) AS clients,
      (SELECT count(*)::int FROM api_clients WHERE organization_id = o.id AND status = 'ACTIVE') AS "activeClients",
      (SELECT count(*)::int FROM pool_memberships m
        WHERE m.insurer_id = o.id AND daterange(m.valid_from, m.valid_to, '[]') @> ${today}::date) AS memberships,
      (SELECT count(*)::int FROM (
        SELECT FROM policies WHERE issuing_insurer_id = o.id LIMIT ${POLICIES_COUNTED_MAX}) AS issued) AS policies,
      (SELECT count(*)::int FROM flags f JOIN certificates c ON c.id = f.certificate_id
        WHERE f.status = 'OPEN' AND c.issuing_insurer_id = o.id) AS "openFlags",
      (SELECT count(*)::int FROM transmissions WHERE organization_id = o.id AND status = 'RECEIVED'
        AND parked_at IS NULL) AS waiting,
      (SELECT count(*)::int FROM transmissions WHERE organization_id = o.id AND parked_at IS NOT NULL
        AND status IN ('RECEIVED', 'VALIDATING')) AS parked
    FROM organizations o WHERE o.id = ${organizationId}::uuid`;
  if (row === undefined) throw new Error('the organization was just there');
  return row;
}
