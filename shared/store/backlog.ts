import type { Db } from './db.ts';

/** What waits, for readiness, metrics and back-pressure. Ages are by the database's clock, seconds. */
export interface Backlog {
  /** RECEIVED or VALIDATING and not parked, counted up to BACKLOG_COUNT_MAX. */
  readonly waiting: number;
  readonly parked: number;
  /** Age of the oldest RECEIVED transmission; 0 when none waits. */
  readonly oldestSeconds: number;
  /** Since any worker last took one; undefined when none ever did. */
  readonly lastTakenSeconds: number | undefined;
  /** What all workers seen lately settle together. */
  readonly settledPerSecond: number;
  /** Worker processes seen lately. */
  readonly workers: number;
}

export const BACKLOG_COUNT_MAX = 1_000_000;
/** A worker process that has not been seen this long is gone. */
export const WORKER_SEEN_SECONDS = 15;

export async function readBacklog(db: Db): Promise<Backlog> {
  const [row] = await db.$queryRaw<
    {
      waiting: number;
      parked: number;
      oldest: number | null;
      last_taken: number | null;
      rate: number | null;
      workers: number;
    }[]
  >`
    SELECT
      (SELECT count(*)::int FROM (
        SELECT FROM transmissions
        WHERE status IN ('RECEIVED', 'VALIDATING') AND parked_at IS NULL
        LIMIT ${BACKLOG_COUNT_MAX}) AS w) AS waiting,
      (SELECT count(*)::int FROM transmissions
        WHERE status IN ('RECEIVED', 'VALIDATING') AND parked_at IS NOT NULL) AS parked,
      (SELECT extract(epoch FROM now() - recorded_at)::float8 FROM transmissions
        WHERE status IN ('RECEIVED', 'VALIDATING') AND status = 'RECEIVED' AND parked_at IS NULL
        ORDER BY sequence LIMIT 1) AS oldest,
      extract(epoch FROM now() - max(last_taken_at))::float8 AS last_taken,
      sum(settled_per_second) FILTER (WHERE seen_at > now() - make_interval(secs => ${WORKER_SEEN_SECONDS})) AS rate,
      (count(*) FILTER (WHERE seen_at > now() - make_interval(secs => ${WORKER_SEEN_SECONDS})))::int AS workers
    FROM worker_processes`;
  return {
    waiting: row?.waiting ?? 0,
    parked: row?.parked ?? 0,
    oldestSeconds: Math.max(row?.oldest ?? 0, 0),
    lastTakenSeconds: row?.last_taken ?? undefined,
    settledPerSecond: row?.rate ?? 0,
    workers: row?.workers ?? 0,
  };
}

/** What a worker process did since it last reported. */
export interface WorkerReport {
  readonly id: string;
  readonly tookAny: boolean;
  readonly settled: number;
  readonly settledPerSecond: number;
}

/** Says that a worker process lives, and forgets those long gone. */
export async function reportWorker(db: Db, report: WorkerReport): Promise<void> {
  await db.$executeRaw`
    INSERT INTO worker_processes AS w (id, last_taken_at, settled, settled_per_second)
    VALUES (${report.id}::uuid, CASE WHEN ${report.tookAny} THEN now() END, ${report.settled}, ${report.settledPerSecond})
    ON CONFLICT (id) DO UPDATE SET
      seen_at = now(),
      last_taken_at = coalesce(excluded.last_taken_at, w.last_taken_at),
      settled = w.settled + excluded.settled,
      settled_per_second = excluded.settled_per_second`;
  await db.$executeRaw`DELETE FROM worker_processes WHERE seen_at < now() - interval '1 day'`;
}

/** A worker process that ends is no longer counted. */
export async function forgetWorker(db: Db, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE worker_processes SET seen_at = seen_at - make_interval(secs => ${WORKER_SEEN_SECONDS}), settled_per_second = 0
    WHERE id = ${id}::uuid`;
}
