import { Prisma } from '../../db/generated/client.ts';
import type { Db } from '../../db/prisma.ts';
import { firstOfEach, isNotParked, WAITING_ORGANIZATIONS } from './waiting.ts';
import { COST } from './work.ts';

// Estimates count the cost of transmissions in certificates of one vehicle (work.ts), because 500 vehicles take far longer than one.

/** The recent activity of the worker processes. Ages are in seconds, by the database's clock. */
export interface WorkersSeen {
  /** The time since any worker claimed a transmission; undefined if none ever did. */
  readonly lastTakenSeconds: number | undefined;
  /** The rate at which the live workers together finish transmissions. */
  readonly settledPerSecond: number;
  /** The same rate in cost. */
  readonly costPerSecond: number;
  /** The number of live worker processes. */
  readonly workers: number;
}

/** The backlog of all organizations, for metrics and staff. */
export interface Backlog extends WorkersSeen {
  /** RECEIVED or VALIDATING and not parked, counted up to BACKLOG_COUNT_MAX. */
  readonly waiting: number;
  /** Their cost. */
  readonly waitingCost: number;
  readonly parked: number;
  /** Age of the oldest RECEIVED transmission; 0 when none waits. */
  readonly oldestSeconds: number;
}

/** The backlog of one organization. */
export interface OrganizationBacklog {
  /** The cost of its RECEIVED transmissions, or at least the asked limit if it is more. */
  readonly cost: number;
  /** The age of the oldest one. */
  readonly oldestSeconds: number;
}

/** The backlog by organization. Organizations share the workers, so one waits for its own work and for as much of each other one. */
export interface SharedBacklog extends WorkersSeen {
  /** By the organization's id; only organizations with waiting transmissions. */
  readonly organizations: ReadonlyMap<string, OrganizationBacklog>;
  /** The cost of all claimed transmissions. */
  readonly inHandCost: number;
}

export const BACKLOG_COUNT_MAX = 1_000_000;
/** A worker process that hasn't reported for this long is dead. */
export const WORKER_SEEN_SECONDS = 15;
/** If a transmission has waited this long and no worker has claimed any in this time, processing stands still. */
export const STALLED_SECONDS = 15;

interface SeenRow {
  last_taken: number | null;
  rate: number | null;
  cost_rate: number | null;
  workers: number;
}

const IS_SEEN = Prisma.sql`seen_at > now() - make_interval(secs => ${WORKER_SEEN_SECONDS})`;
// A worker of an earlier release reports no cost, and no transmission costs less than 1.
const WORKERS_SEEN = Prisma.sql`
  extract(epoch FROM now() - max(last_taken_at))::float8 AS last_taken,
  sum(settled_per_second) FILTER (WHERE ${IS_SEEN}) AS rate,
  sum(greatest(cost_per_second, settled_per_second)) FILTER (WHERE ${IS_SEEN}) AS cost_rate,
  (count(*) FILTER (WHERE ${IS_SEEN}))::int AS workers`;

/** The age of the oldest waiting transmission of one of `organizations`, seconds; null if all are parked. */
const OLDEST_OF_ONE = Prisma.sql`
  (SELECT greatest(extract(epoch FROM now() - recorded_at), 0)::float8 FROM transmissions t
    ${firstOfEach(isNotParked(Prisma.sql`t`), Prisma.sql`1`)})`;

/** The age of the oldest one of all. */
const OLDEST = Prisma.sql`(SELECT max(${OLDEST_OF_ONE}) FROM organizations) AS oldest`;

/** Counts row by row. Callers that ask often share a result, or use `readStanding`. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const [row] = await db.$queryRaw<
    (SeenRow & { waiting: number; cost: number; parked: number; oldest: number | null })[]
  >`
    WITH RECURSIVE ${WAITING_ORGANIZATIONS}
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

/** The age of the oldest waiting transmission and the activity of the workers, in a few lookups whatever the length of the backlog. */
export async function readStanding(db: Db): Promise<WorkersSeen & Pick<Backlog, 'oldestSeconds'>> {
  const [row] = await db.$queryRaw<(SeenRow & { oldest: number | null })[]>`
    WITH RECURSIVE ${WAITING_ORGANIZATIONS}
    SELECT ${OLDEST}, ${WORKERS_SEEN} FROM worker_processes`;
  return { oldestSeconds: row?.oldest ?? 0, ...seenOf(row) };
}

/** Whether transmissions wait and no worker claims any. */
export function isStalled({
  oldestSeconds,
  lastTakenSeconds = Number.POSITIVE_INFINITY,
}: Pick<Backlog, 'oldestSeconds' | 'lastTakenSeconds'>): boolean {
  return oldestSeconds > STALLED_SECONDS && lastTakenSeconds > STALLED_SECONDS;
}

export interface SharedLook {
  /** The count of one organization stops at what the workers finish in this many seconds. */
  readonly secondsMax: number;
  /** The assumed rate of a worker whose measured rate is lower. */
  readonly workerRatePerSecond: number;
}

/** Reads the backlog of each organization, for load shedding and `Retry-After` (D20). */
export async function readSharedBacklog(
  db: Db,
  { secondsMax, workerRatePerSecond }: SharedLook,
): Promise<SharedBacklog> {
  const [row] = await db.$queryRaw<
    (SeenRow & { organizations: (OrganizationBacklog & { id: string })[]; in_hand: number })[]
  >`
    WITH RECURSIVE ${WAITING_ORGANIZATIONS}, seen AS MATERIALIZED (
      SELECT ${WORKERS_SEEN} FROM worker_processes
    ), of_each AS (
      SELECT organization_id AS id,
        (SELECT coalesce(sum(cost), 0) FROM (
          SELECT ${COST} AS cost FROM transmissions t
          ${firstOfEach(
            Prisma.sql`true`,
            // No transmission costs less than 1.
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
    lastTakenSeconds: notNegative(row?.last_taken ?? undefined),
    settledPerSecond: row?.rate ?? 0,
    costPerSecond: row?.cost_rate ?? 0,
    workers: row?.workers ?? 0,
  };
}

/** A worker's report can be a few milliseconds younger than the `now()` of a statement that reads it. */
function notNegative(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.max(0, seconds);
}

/** The work of a worker process since its last report. */
export interface WorkerReport {
  readonly id: string;
  readonly claimedAny: boolean;
  readonly settled: number;
  readonly settledPerSecond: number;
  readonly costPerSecond: number;
}

/** Reports a live worker process, and deletes those that ended more than a day ago. */
export async function reportWorker(db: Db, report: WorkerReport): Promise<void> {
  await db.$executeRaw`
    INSERT INTO worker_processes AS w (id, last_taken_at, settled, settled_per_second, cost_per_second)
    VALUES (${report.id}::uuid, CASE WHEN ${report.claimedAny} THEN now() END, ${report.settled}, ${report.settledPerSecond},
      ${report.costPerSecond})
    ON CONFLICT (id) DO UPDATE SET
      seen_at = now(),
      last_taken_at = coalesce(excluded.last_taken_at, w.last_taken_at),
      settled = w.settled + excluded.settled,
      settled_per_second = excluded.settled_per_second,
      cost_per_second = excluded.cost_per_second`;
  await db.$executeRaw`DELETE FROM worker_processes WHERE seen_at < now() - interval '1 day'`;
}

/** Stops counting a worker process that ends. */
export async function forgetWorker(db: Db, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE worker_processes SET seen_at = seen_at - make_interval(secs => ${WORKER_SEEN_SECONDS}),
      settled_per_second = 0, cost_per_second = 0
    WHERE id = ${id}::uuid`;
}
