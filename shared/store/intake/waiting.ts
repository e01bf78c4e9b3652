import { Prisma } from '../../db/generated/client.ts';

// How the estimates of the backlog find waiting transmissions by keys. The planner's statistics may be from a moment when nothing
// waited; then reading and sorting all waiting rows seems to cost nothing. So each condition is written so that only one partial
// index serves it.

/** The condition of the index by organization, for row `t` of transmissions. */
const IS_RECEIVED = Prisma.sql`t.status = 'RECEIVED'`;

/** The order of that index. */
const IN_ORDER = Prisma.sql`t.organization_id, t.fair_rank`;

/** The same as `parked_at IS NULL`, but it doesn't imply the condition of the index by time of the sweep. */
export const isNotParked = (row: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`coalesce(${row}.parked_at, 'infinity') = 'infinity'`;

/** The organizations with waiting transmissions, as parts of a WITH RECURSIVE. Each takes one lookup in the index. */
export const WAITING_ORGANIZATIONS = Prisma.sql`
    waiting AS (
      (SELECT organization_id FROM transmissions t WHERE ${IS_RECEIVED} ORDER BY ${IN_ORDER} LIMIT 1)
      UNION ALL
      SELECT (SELECT organization_id FROM transmissions t
        WHERE ${IS_RECEIVED} AND t.organization_id > w.organization_id ORDER BY ${IN_ORDER} LIMIT 1)
      FROM waiting w WHERE w.organization_id IS NOT NULL
    ), organizations AS MATERIALIZED (
      SELECT organization_id FROM waiting WHERE organization_id IS NOT NULL
    )`;

/** The rest of a SELECT after `FROM transmissions t`: the first waiting rows of one of `organizations`, by rank. */
export const firstOfEach = (condition: Prisma.Sql, limit: Prisma.Sql): Prisma.Sql => Prisma.sql`
    -- BETWEEN instead of =, so that other indexes don't provide the order.
    WHERE t.organization_id BETWEEN organizations.organization_id AND organizations.organization_id
      AND ${IS_RECEIVED} AND ${condition}
    ORDER BY ${IN_ORDER} LIMIT ${limit}`;
