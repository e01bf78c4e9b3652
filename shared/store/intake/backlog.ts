import { Prisma } from '../../db/generated/client.ts';
import type { Db } from '../../db/prisma.ts';
import { firstOfEach, isNotParked, waitingOrganizations } from './waiting.ts';
import { COST } from './work.ts';

// What transmissions cost a worker is counted in certificates of one vehicle: one of 500 is not one of many that wait.

/** What the worker processes did lately. Ages are by the database's clock, seconds. */
export interface WorkersSeen {
  /** Since any worker last took a transmission; undefined when none ever did. */
  readonly lastTakenSeconds: number | undefined;
  /** What all workers seen lately settle together. */
  readonly settledPerSecond: number;
  /** What that costs. */
  readonly costPerSecond: number;
  /** Worker processes seen lately. */
  readonly workers: number;
}

/** What waits, for metrics and the staff. */
export interface Backlog extends WorkersSeen {
  /** RECEIVED or VALIDATING and not parked, counted up to BACKLOG_COUNT_MAX. */
  readonly waiting: number;
  /** What they cost. */
  readonly waitingCost: number;
  readonly parked: number;
  /** Age of the oldest RECEIVED transmission; 0 when none waits. */
  readonly oldestSeconds: number;
}

/** What waits of one organization. */
export interface OrganizationBacklog {
  /** What its RECEIVED transmissions cost; where that is more than is asked for, at least so much. */
  readonly cost: number;
  /** Age of the oldest of them. */
  readonly oldestSeconds: number;
}

/** What waits by organization: they share the workers, so one waits for its own and for as much of the others. */
export interface SharedBacklog extends WorkersSeen {
  /** By the organization's id; only those of which something waits. */
  readonly organizations: ReadonlyMap<string, OrganizationBacklog>;
  /** What the transmissions cost that workers have taken, of all organizations. */
  readonly inHandCost: number;
}

export const BACKLOG_COUNT_MAX = 1_000_000;
/** A worker process that has not been seen this long is gone. */
export const WORKER_SEEN_SECONDS = 15;
/** What has waited so long while nobody took anything is not being worked for. */
export const STALLED_SECONDS = 15;

interface SeenRow {
  last_taken: number | null;
  rate: number | null;
  cost_rate: number | null;
  workers: number;
}

const IS_SEEN = Prisma.sql`seen_at > now() - make_interval(secs => ${WORKER_SEEN_SECONDS})`;
// A worker of the release before tells no cost, and nothing costs less than 1.
const WORKERS_SEEN = Prisma.sql`
  extract(epoch FROM now() - max(last_taken_at))::float8 AS last_taken,
  sum(settled_per_second) FILTER (WHERE ${IS_SEEN}) AS rate,
  sum(greatest(cost_per_second, settled_per_second)) FILTER (WHERE ${IS_SEEN}) AS cost_rate,
  (count(*) FILTER (WHERE ${IS_SEEN}))::int AS workers`;

/** Of one of `organizations`, since the oldest of those that wait was recorded, seconds; null when they are parked. */
const OLDEST_OF_ONE = Prisma.sql`
  (SELECT greatest(extract(epoch FROM now() - recorded_at), 0)::float8 FROM transmissions t
    ${firstOfEach(isNotParked(Prisma.sql`t`), Prisma.sql`1`)})`;

/** Of all of them. */
const OLDEST = Prisma.sql`(SELECT max(${OLDEST_OF_ONE}) FROM organizations) AS oldest`;

/** Counts row by row: whoever may ask often shares a look, or asks `readStanding`. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const [row] = await db.$queryRaw<
    (SeenRow & { waiting: number; cost: number; parked: number; oldest: number | null })[]
  >`
    WITH RECURSIVE ${waitingOrganizations()}
    SELECT w.waiting, w.cost,
      (SELECT count(*)::int FROM transmissions
        WHERE status IN ('RECEIVED', 'VALIDATING') AND parked_at IS NOT NULL) AS parked,
      ${OLDEST},
      s.*
    FROM (
      SELECT count(*)::int AS waiting, coalesce(sum(cost), 0) AS cost FROM (
        SELECT ${COST} AS cost FROM transmissions t
        WHERE status IN ('RECEIVED', 'VALIDATING') AND parked_at IS NULL
        LIMIT ${BACKLOG_COUNT_MAX}) AS one) AS w,
      (SELECT ${WORKERS_SEEN} FROM worker_processes) AS s`;
  return {
    waiting: row?.waiting ?? 0,
    waitingCost: row?.cost ?? 0,
    parked: row?.parked ?? 0,
    oldestSeconds: row?.oldest ?? 0,
    ...seenOf(row),
  };
}

/** How long what waits has waited and what the workers do, in a few look-ups however much waits. */
export async function readStanding(db: Db): Promise<WorkersSeen & Pick<Backlog, 'oldestSeconds'>> {
  const [row] = await db.$queryRaw<(SeenRow & { oldest: number | null })[]>`
    WITH RECURSIVE ${waitingOrganizations()}
    SELECT ${OLDEST}, ${WORKERS_SEEN} FROM worker_processes`;
  return { oldestSeconds: row?.oldest ?? 0, ...seenOf(row) };
}

/** Something waits, and no worker takes anything. */
export function isStalled({
  oldestSeconds,
  lastTakenSeconds = Number.POSITIVE_INFINITY,
}: Pick<Backlog, 'oldestSeconds' | 'lastTakenSeconds'>): boolean {
  return oldestSeconds > STALLED_SECONDS && lastTakenSeconds > STALLED_SECONDS;
}

export interface SharedLook {
  /** Of each organization no more is counted than the workers settle in so many seconds. */
  readonly secondsMax: number;
  /** What a worker settles that shows less. */
  readonly workerRatePerSecond: number;
}

/** For back-pressure and `Retry-After`, which are each organization's own. */
export async function readSharedBacklog(
  db: Db,
  { secondsMax, workerRatePerSecond }: SharedLook,
): Promise<SharedBacklog> {
  const [row] = await db.$queryRaw<
    (SeenRow & { organizations: (OrganizationBacklog & { id: string })[]; in_hand: number })[]
  >`
    WITH RECURSIVE ${waitingOrganizations()}, seen AS MATERIALIZED (
      SELECT ${WORKERS_SEEN} FROM worker_processes
    ), of_each AS (
      SELECT organization_id AS id,
        (SELECT coalesce(sum(cost), 0) FROM (
          SELECT ${COST} AS cost FROM transmissions t
          ${firstOfEach(
            Prisma.sql`true`,
            // Nothing costs less than 1.
            Prisma.sql`(
              SELECT least(1 + ceil(${secondsMax}::float8 * greatest(cost_rate, workers * ${workerRatePerSecond}::float8)),
                ${BACKLOG_COUNT_MAX}::int)::int
              FROM seen)`,
          )}) AS w) AS cost,
        ${OLDEST_OF_ONE} AS oldest
      FROM organizations
    )
    SELECT
      (SELECT coalesce(json_agg(json_build_object('id', id, 'cost', cost, 'oldestSeconds', coalesce(oldest, 0))), '[]')
        FROM of_each) AS organizations,
      (SELECT coalesce(sum(${COST}), 0) FROM transmissions t
        WHERE status IN ('RECEIVED', 'VALIDATING') AND status = 'VALIDATING' AND parked_at IS NULL) AS in_hand,
      seen.*
    FROM seen`;
  return {
    organizations: new Map(row?.organizations.map((one) => [one.id, one])),
    inHandCost: row?.in_hand ?? 0,
    ...seenOf(row),
  };
}

function seenOf(row: SeenRow | undefined): WorkersSeen {
  return {
    lastTakenSeconds: row?.last_taken ?? undefined,
    settledPerSecond: row?.rate ?? 0,
    costPerSecond: row?.cost_rate ?? 0,
    workers: row?.workers ?? 0,
  };
}

/** What a worker process did since it last reported. */
export interface WorkerReport {
  readonly id: string;
  readonly tookAny: boolean;
  readonly settled: number;
  readonly settledPerSecond: number;
  readonly costPerSecond: number;
}

/** Says that a worker process lives, and forgets those long gone. */
export async function reportWorker(db: Db, report: WorkerReport): Promise<void> {
  await db.$executeRaw`
    INSERT INTO worker_processes AS w (id, last_taken_at, settled, settled_per_second, cost_per_second)
    VALUES (${report.id}::uuid, CASE WHEN ${report.tookAny} THEN now() END, ${report.settled}, ${report.settledPerSecond},
      ${report.costPerSecond})
    ON CONFLICT (id) DO UPDATE SET
      seen_at = now(),
      last_taken_at = coalesce(excluded.last_taken_at, w.last_taken_at),
      settled = w.settled + excluded.settled,
      settled_per_second = excluded.settled_per_second,
      cost_per_second = excluded.cost_per_second`;
  await db.$executeRaw`DELETE FROM worker_processes WHERE seen_at < now() - interval '1 day'`;
}

/** A worker process that ends is no longer counted. */
export async function forgetWorker(db: Db, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE worker_processes SET seen_at = seen_at - make_interval(secs => ${WORKER_SEEN_SECONDS}),
      settled_per_second = 0, cost_per_second = 0
    WHERE id = ${id}::uuid`;
}
