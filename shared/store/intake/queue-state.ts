import type { QueueState, WorkerItem } from '../../contract/staff/queue.ts';
import type { Db } from '../../db/prisma.ts';
import { readBacklog, WORKER_SEEN_SECONDS } from './backlog.ts';

/** The most workers that are listed. */
const WORKERS_MAX = 200;
/** The rate covers the last minute, or this many transmissions if they took less time. */
const RATE_TRANSMISSIONS_MAX = 1_000;
const RATE_SECONDS_MAX = 60;

interface WorkerRow extends Omit<WorkerItem, 'startedAt' | 'seenAt' | 'lastTakenAt' | 'settled'> {
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly lastTakenAt: Date | null;
  readonly settled: bigint;
}

/** Everything but the queue's own count. Ages and rates go by the database's clock. */
export async function readQueueState(db: Db): Promise<Omit<QueueState, 'jobs'>> {
  const backlog = await readBacklog(db);
  const workers = await db.$queryRaw<WorkerRow[]>`
    SELECT id::text, started_at AS "startedAt", seen_at AS "seenAt", last_taken_at AS "lastTakenAt", settled,
      settled_per_second AS "settledPerSecond",
      seen_at > now() - make_interval(secs => ${WORKER_SEEN_SECONDS}) AS "isAlive"
    FROM worker_processes ORDER BY seen_at DESC, id LIMIT ${WORKERS_MAX}`;
  const [counted] = await db.$queryRaw<{ received: number | null; imports: number }[]>`
    SELECT
      (SELECT count(*) FILTER (WHERE age <= ${RATE_SECONDS_MAX}) / CASE
          WHEN count(*) = ${RATE_TRANSMISSIONS_MAX} THEN greatest(least(max(age), ${RATE_SECONDS_MAX}), 0.001)
          ELSE ${RATE_SECONDS_MAX} END
        FROM (
          SELECT extract(epoch FROM now() - recorded_at)::float8 AS age FROM transmissions
          ORDER BY transmission_reference DESC LIMIT ${RATE_TRANSMISSIONS_MAX}) AS latest) AS received,
      (SELECT count(*)::int FROM reference_imports WHERE status IN ('QUEUED', 'RUNNING')) AS imports`;
  return {
    depth: backlog.waiting,
    oldestSeconds: backlog.oldestSeconds,
    lastTakenSeconds: backlog.lastTakenSeconds ?? null,
    receivedPerSecond: counted?.received ?? 0,
    settledPerSecond: backlog.settledPerSecond,
    parked: backlog.parked,
    imports: counted?.imports ?? 0,
    workers: workers.map(workerOf),
  };
}

function workerOf(row: WorkerRow): WorkerItem {
  return {
    ...row,
    startedAt: row.startedAt.toISOString(),
    seenAt: row.seenAt.toISOString(),
    lastTakenAt: row.lastTakenAt?.toISOString() ?? null,
    settled: Number(row.settled),
  };
}
