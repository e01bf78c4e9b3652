import { Prisma } from './generated/client.ts';

/**
 * Parts of a WITH RECURSIVE: `organizations` are those of which something waits, but for `except`. Each is found by one look
 * into the index, whatever it waits with.
 */
export const waitingOrganizations = (except: readonly string[] = []): Prisma.Sql => Prisma.sql`
    waiting AS (
      (SELECT organization_id FROM transmissions
        WHERE status = 'RECEIVED'
        ORDER BY organization_id LIMIT 1)
      UNION ALL
      SELECT (SELECT organization_id FROM transmissions
        WHERE status = 'RECEIVED' AND organization_id > w.organization_id
        ORDER BY organization_id LIMIT 1)
      FROM waiting w WHERE w.organization_id IS NOT NULL
    ), organizations AS MATERIALIZED (
      SELECT organization_id FROM waiting
      WHERE organization_id IS NOT NULL AND organization_id <> ALL(${except}::uuid[])
    )`;
