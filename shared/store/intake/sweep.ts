import type { Db } from '../../db/prisma.ts';
import { ATTEMPTS_MAX } from './claim.ts';

/** The sweeper leaves a transmission alone for this long before it sweeps it again. */
const RESWEEP_SECONDS = 15;
/** After this long a swept transmission gets a job with another id. */
const JOB_PERIOD_SECONDS = 30;

export interface Swept {
  readonly id: string;
  readonly requestId: string;
  readonly attempts: number;
  readonly isParked: boolean;
  /** The number of periods of 30 seconds since the transmission was recorded. */
  readonly period: number;
}

/**
 * Finds transmissions in progress whose job may be lost, those with the oldest `sweep_at` first, and parks those that kill their
 * workers. Claimed and waiting transmissions have separate limits, so that a backlog doesn't delay the retry of what a dead
 * worker had claimed.
 */
export async function sweep(
  db: Db,
  { claimedMax, waitingMax }: { readonly claimedMax: number; readonly waitingMax: number },
): Promise<Swept[]> {
  return db.$queryRaw<Swept[]>`
    UPDATE transmissions t SET
      sweep_at = now() + make_interval(secs => ${RESWEEP_SECONDS}),
      parked_at = CASE WHEN attempts >= ${ATTEMPTS_MAX} THEN now() END,
      last_error = CASE WHEN attempts >= ${ATTEMPTS_MAX}
        THEN 'its workers ended without a result, ' || attempts || ' times' ELSE last_error END
    -- The array makes the planner look up each row by the primary key.
    WHERE t.id = ANY(
      ARRAY(
        SELECT id FROM transmissions WHERE status = 'VALIDATING' AND parked_at IS NULL AND sweep_at <= now()
        ORDER BY sweep_at LIMIT ${claimedMax} FOR UPDATE SKIP LOCKED)
      || ARRAY(
        -- BETWEEN instead of =, so that only the index by time of the sweep provides this order.
        SELECT id FROM transmissions
        WHERE status IN ('RECEIVED', 'VALIDATING') AND status BETWEEN 'RECEIVED' AND 'RECEIVED' AND parked_at IS NULL
          AND sweep_at <= now()
        ORDER BY status, sweep_at LIMIT ${waitingMax} FOR UPDATE SKIP LOCKED))
    RETURNING t.id::text, t.request_id AS "requestId", t.attempts, t.parked_at IS NOT NULL AS "isParked",
      greatest(floor(extract(epoch FROM now() - t.recorded_at) / ${JOB_PERIOD_SECONDS}), 0)::int AS period`;
}
