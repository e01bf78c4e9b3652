import type { TransmissionStatus } from '../../contract/enums.ts';
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

/** The transmissions that an organization sent with this batch name (D35); empty when there are none. */
export async function readBatchGroups(
  db: Pick<Db, '$queryRaw'>,
  organizationId: string,
  batch: string,
): Promise<BatchGroup[]> {
  return db.$queryRaw<BatchGroup[]>`
    SELECT status, error_code AS "errorCode", count(*)::int AS transmissions, count(parked_at)::int AS parked,
      min(received_at) AS "firstReceivedAt", max(completed_at) AS "lastCompletedAt"
    FROM transmissions
    WHERE organization_id = ${organizationId}::uuid AND batch = ${batch}
    GROUP BY status, error_code`;
}
