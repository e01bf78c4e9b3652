import { randomUUID } from 'node:crypto';
import type { Db } from '../../../shared/db/prisma.ts';
import { reportWorker } from '../../../shared/store/intake/backlog.ts';

interface Filling {
  readonly kind: 'CREATE' | 'AMEND';
  /** Of how many records the changes are. */
  readonly records?: number;
  readonly ageSeconds?: number;
  readonly vehicles?: number;
  /** False leaves the planner's statistics as they are. */
  readonly isAnalyzed?: boolean;
}

/**
 * So many certificates wait, of one vehicle unless told otherwise, or changes of so many records, received before all
 * others; bodies that nobody opens.
 */
export async function fillBacklog(
  db: Db,
  organizationCode: string,
  count: number,
  { kind, records = 0, ageSeconds = 0, vehicles = 1, isAnalyzed = true }: Filling,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind,
      actor, request_hash, body_sealed, request_id, received_at, recorded_at, vehicle_count, target_certificate_id)
    SELECT gen_random_uuid(), -n, 'PPAI-TX-DUMP-' || o.code || '-' || n, o.id, 'DUMP-' || n, ${kind}, 'pool', '\\x00', '\\x00', 'r',
      now(), now() - make_interval(secs => ${ageSeconds}), ${vehicles}::int,
      CASE WHEN ${records} > 0 THEN md5((n % greatest(${records}, 1))::text)::uuid END
    FROM organizations o, generate_series(1, ${count}::int) AS n WHERE o.code = ${organizationCode}`;
  if (isAnalyzed) await db.$executeRaw`ANALYZE transmissions`;
}

/** A worker that settles so many certificates of one vehicle a second, as far as anybody can see. */
export async function workerAtWork(db: Db, costPerSecond: number): Promise<void> {
  const rates = { settledPerSecond: 1, costPerSecond };
  await reportWorker(db, { id: randomUUID(), tookAny: true, settled: 1, ...rates });
}
