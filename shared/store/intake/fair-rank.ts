import { Prisma } from '../../db/generated/client.ts';
import type { Db } from '../../db/prisma.ts';
import { WORK } from './work.ts';

// Start-time fair queueing (docs/adr/0006-claim-by-fair-rank.md). The rank of a waiting transmission is the work that its
// organization has waiting before it, counted from the lowest waiting rank of all organizations. Workers claim by rank, so
// that organizations share the workers equally by work.

/** The same as `fair_rank IS NOT NULL`, worded so that only the index of ranked rows serves it, whatever the planner's statistics say. */
export const IS_RANKED = Prisma.sql`coalesce(fair_rank, -1) >= 0`;

/** What the work of the next transmission is added to: the last waiting rank of its organization, or the lowest of all. */
export const rankBefore = (organizationId: Prisma.Sql): Prisma.Sql => Prisma.sql`
  greatest(
    (SELECT fair_rank FROM transmissions
      WHERE organization_id = ${organizationId} AND status = 'RECEIVED' AND fair_rank IS NOT NULL
      ORDER BY organization_id DESC, fair_rank DESC LIMIT 1),
    (SELECT fair_rank FROM transmissions
      WHERE status = 'RECEIVED' AND ${IS_RANKED}
      ORDER BY fair_rank, sequence LIMIT 1),
    0)`;

/**
 * Gives a rank to the first change of each record, if it waits without one. A change gets its rank only when no earlier change
 * of its record is in progress: a claim would have to skip it, and thousands of changes of one record would fill each claim.
 * Run it after a commit that inserts or ends a change. Of an insertion and an end at the same time, the later commit finds the
 * other. Returns the transmissions that got a rank.
 */
export async function rankNextChanges(
  db: Db,
  certificateIds: readonly string[],
): Promise<{ id: string; requestId: string }[]> {
  if (certificateIds.length === 0) return [];
  return db.$queryRaw<{ id: string; requestId: string }[]>`
    WITH unranked AS MATERIALIZED (
      SELECT id, organization_id, sequence, ${WORK} AS work FROM transmissions t
      WHERE completed_at IS NULL AND id = ANY(ARRAY(
        SELECT first.id
        FROM unnest(${certificateIds}::uuid[]) AS record (id)
        CROSS JOIN LATERAL (
          SELECT id, status, fair_rank FROM transmissions
          WHERE target_certificate_id = record.id AND status IN ('RECEIVED', 'VALIDATING')
            AND coalesce(parked_at, 'infinity') = 'infinity'
          ORDER BY target_certificate_id, sequence LIMIT 1) AS first
        WHERE first.status = 'RECEIVED' AND first.fair_rank IS NULL))
      FOR UPDATE SKIP LOCKED
    )
    UPDATE transmissions t SET fair_rank = ranked.fair_rank
    FROM (
      SELECT id, ${rankBefore(Prisma.sql`u.organization_id`)}
        + sum(work) OVER (PARTITION BY organization_id ORDER BY sequence) AS fair_rank
      FROM unranked u) AS ranked
    -- The array makes the planner look up each row by the primary key.
    WHERE t.id = ANY(ARRAY(SELECT id FROM unranked)) AND t.id = ranked.id
    RETURNING t.id::text, t.request_id AS "requestId"`;
}

/** Records with changes that wait without a rank: those of the oldest `changesMax` changes. */
export async function findUnrankedRecords(db: Db, changesMax: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ certificateId: string }[]>`
    SELECT DISTINCT target_certificate_id::text AS "certificateId"
    FROM (
      SELECT target_certificate_id FROM transmissions
      WHERE status = 'RECEIVED' AND fair_rank IS NULL
      ORDER BY sequence LIMIT ${changesMax}) AS unranked`;
  return rows.map(({ certificateId }) => certificateId);
}
