import { randomUUID } from 'node:crypto';
import type { Db } from '../../../shared/db/prisma.ts';
import { reportWorker } from '../../../shared/store/intake/backlog.ts';

interface Filling {
  readonly kind: 'CREATE' | 'AMEND';
  /** Number of records that the changes are for. */
  readonly records?: number;
  readonly ageSeconds?: number;
  readonly vehicles?: number;
  /** If false, the planner's statistics are not updated. */
  readonly isAnalyzed?: boolean;
}

/**
 * Adds `count` waiting transmissions that were received before all others: certificates of one vehicle by default, or changes
 * of `records` records. They have the fair ranks that `receive` would give them in an empty queue. Their bodies cannot be opened.
 */
export async function fillBacklog(
  db: Db,
  organizationCode: string,
  count: number,
  { kind, records = 0, ageSeconds = 0, vehicles = 1, isAnalyzed = true }: Filling,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind,
      actor, request_hash, body_sealed, request_id, received_at, recorded_at, vehicle_count, target_certificate_id, fair_rank)
    SELECT gen_random_uuid(), -n, 'PPAI-TX-DUMP-' || o.code || '-' || n, o.id, 'DUMP-' || n, ${kind}, 'pool', '\\x00', '\\x00', 'r',
      now(), now() - make_interval(secs => ${ageSeconds}), ${vehicles}::int,
      CASE WHEN ${records} > 0 THEN md5((n % greatest(${records}, 1))::text)::uuid END,
      CASE WHEN ${records}::int = 0 OR n > ${count}::int - ${records}::int
        THEN (${count}::bigint - n + 1) * greatest(${vehicles}::int, CASE ${kind} WHEN 'CREATE' THEN 1 ELSE 5 END) END
    FROM organizations o, generate_series(1, ${count}::int) AS n WHERE o.code = ${organizationCode}`;
  if (isAnalyzed) await db.$executeRaw`ANALYZE transmissions`;
}

/** Reports a worker that settles `costPerSecond` certificates of one vehicle per second. No such worker runs. */
export async function reportBusyWorker(db: Db, costPerSecond: number): Promise<void> {
  const rates = { settledPerSecond: 1, costPerSecond };
  await reportWorker(db, { id: randomUUID(), claimedAny: true, settled: 1, ...rates });
}
