import { Prisma } from '../../db/generated/client.ts';

// How what waits is found by keys. The planner's statistics are of the moment when the database last looked at its tables, and may
// say that nothing waits: to read all that waits and to sort it costs nothing then. So each condition here is worded so that one
// partial index serves it and the condition of no other one follows from it: there is no other way than the right one.

/** The backlog by organization has row `t` of transmissions. */
const IS_RECEIVED = Prisma.sql`t.status = 'RECEIVED'`;

/** The order of receipt within an organization. */
const IN_ORDER = Prisma.sql`t.organization_id, t.sequence`;

/** As `parked_at IS NULL`, but the condition of the index by time of sweep doesn't follow from it. */
export const isNotParked = (row: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`coalesce(${row}.parked_at, 'infinity') = 'infinity'`;

/**
 * Parts of a WITH RECURSIVE: `organizations` are those of which something waits, but for `except`. Each is found by one look
 * into the index, whatever it waits with.
 */
export const waitingOrganizations = (except: readonly string[] = []): Prisma.Sql => Prisma.sql`
    waiting AS (
      (SELECT organization_id FROM transmissions t WHERE ${IS_RECEIVED} ORDER BY ${IN_ORDER} LIMIT 1)
      UNION ALL
      SELECT (SELECT organization_id FROM transmissions t
        WHERE ${IS_RECEIVED} AND t.organization_id > w.organization_id ORDER BY ${IN_ORDER} LIMIT 1)
      FROM waiting w WHERE w.organization_id IS NOT NULL
    ), organizations AS MATERIALIZED (
      SELECT organization_id FROM waiting
      WHERE organization_id IS NOT NULL AND organization_id <> ALL(${except}::uuid[])
    )`;

/**
 * The rest of a SELECT of rows `t` of transmissions, after its FROM: the first that wait of each of `organizations`, in their
 * order of receipt.
 */
export const firstOfEach = (condition: Prisma.Sql, limit: Prisma.Sql): Prisma.Sql => Prisma.sql`
    -- A range, or a single organization would be no part of the order, and other indexes would have the rest of it.
    WHERE t.organization_id BETWEEN organizations.organization_id AND organizations.organization_id
      AND ${IS_RECEIVED} AND ${condition}
    ORDER BY ${IN_ORDER} LIMIT ${limit}`;
