import type { TransmissionStatus } from '../../contract/enums.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Db } from '../../db/prisma.ts';

/** The transmissions of a batch with one status and one error code. */
export interface BatchGroup {
  readonly status: TransmissionStatus;
  readonly errorCode: string | null;
  readonly transmissions: number;
  /** Those of them that are parked: they wait for staff. */
  readonly parked: number;
  readonly firstReceivedAt: Date;
  readonly lastCompletedAt: Date | null;
}

/**
 * The transmissions that an organization sent with this batch name (D35); empty when there are none. Completed ones are counted
 * from their index alone, which says nothing about parking: only open ones are parked. One statement reads both, so that none is
 * counted twice or not at all.
 */
export async function readBatchGroups(
  db: Pick<Db, '$queryRaw'>,
  organizationId: string,
  batch: string,
): Promise<BatchGroup[]> {
  const isInBatch = Prisma.sql`organization_id = ${organizationId}::uuid AND batch = ${batch}`;
  return db.$queryRaw<BatchGroup[]>`
    SELECT status, error_code AS "errorCode", count(*)::int AS transmissions, 0 AS parked,
      min(received_at) AS "firstReceivedAt", max(completed_at) AS "lastCompletedAt"
    FROM transmissions WHERE ${isInBatch} AND completed_at IS NOT NULL GROUP BY status, error_code
    UNION ALL
    SELECT status, NULL, count(*)::int, count(parked_at)::int, min(received_at), NULL
    FROM transmissions WHERE ${isInBatch} AND completed_at IS NULL GROUP BY status`;
}
