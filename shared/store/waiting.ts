import { Prisma } from './generated/client.ts';

// How what waits is found by keys. The planner's statistics are of the moment when the database last looked at its tables, and may
// say that nothing waits: to read all that waits and to sort it costs nothing then. So there must be no other way than the right one.

/**
 * Row `t` of transmissions is RECEIVED. In these words it is the condition of the index by organization and of no other index, and
 * the one of no other index follows from them.
 */
export const IS_WAITING = Prisma.sql`t.status || '' = 'RECEIVED'`;

/** The order of receipt within an organization, which only the index by organization has. */
const IN_ORDER = Prisma.sql`t.organization_id, t.sequence`;

/**
 * Parts of a WITH RECURSIVE: `organizations` are those of which something waits, but for `except`. Each is found by one look
 * into the index, whatever it waits with.
 */
export const waitingOrganizations = (except: readonly string[] = []): Prisma.Sql => Prisma.sql`
    waiting AS (
      (SELECT organization_id FROM transmissions t WHERE ${IS_WAITING} ORDER BY ${IN_ORDER} LIMIT 1)
      UNION ALL
      SELECT (SELECT organization_id FROM transmissions t
        WHERE ${IS_WAITING} AND t.organization_id > w.organization_id ORDER BY ${IN_ORDER} LIMIT 1)
      FROM waiting w WHERE w.organization_id IS NOT NULL
    ), organizations AS MATERIALIZED (
      SELECT organization_id FROM waiting
      WHERE organization_id IS NOT NULL AND organization_id <> ALL(${except}::uuid[])
    )`;

/**
 * The rest of a SELECT of rows `t` of transmissions, after its FROM: the first that wait of each of `organizations`, in their order.
 */
export const firstOfEach = (condition: Prisma.Sql, limit: Prisma.Sql): Prisma.Sql => Prisma.sql`
    -- A range, or a single organization would be no part of the order, and other indexes would have the rest of it.
    WHERE t.organization_id BETWEEN organizations.organization_id AND organizations.organization_id
      AND ${IS_WAITING} AND ${condition}
    ORDER BY ${IN_ORDER} LIMIT ${limit}`;
