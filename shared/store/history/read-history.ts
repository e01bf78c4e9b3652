import type {
  QueueHistory,
  QueueHistoryQuery,
  TransmissionSeries,
  TransmissionSeriesQuery,
} from '../../contract/staff/views/history.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Db } from '../../db/prisma.ts';

type ReadDb = Pick<Db, '$queryRaw'>;
type Point = QueueHistory['points'][number];

/** A query with both of its times. */
export type WithTimes<Query> = Query & { readonly from: string; readonly to: string };

/** `timeZone` decides where a day begins. */
export async function readQueueHistory(
  db: ReadDb,
  { from, to, step }: WithTimes<QueueHistoryQuery>,
  timeZone: string,
): Promise<QueueHistory> {
  const rows = await db.$queryRaw<(Omit<Point, 'at'> & { at: Date })[]>`
    SELECT date_trunc(${step}, minute, ${timeZone}) AS at, avg(depth)::float8 AS depth, max(depth) AS "depthMax",
      max(oldest_seconds) AS "oldestSecondsMax", max(parked) AS "parkedMax",
      avg(settled_per_second) AS "settledPerSecond", min(workers) AS "workersMin",
      max(feed_lag_seconds) AS "feedLagSecondsMax"
    FROM queue_samples WHERE minute >= ${from}::timestamptz AND minute < ${to}::timestamptz
    GROUP BY 1 ORDER BY 1`;
  return { points: rows.map(({ at, ...point }) => ({ at: at.toISOString(), ...point })) };
}

/** Transmissions that are read because their hour is not counted yet. */
const RECENT_MAX = 100_000;
/** An earlier hour that is not counted is missing in the series. */
const RECENT_HOURS = 2;

const KEYS = {
  status: { key: Prisma.sql`counts.status`, isCounted: Prisma.sql`true` },
  errorCode: { key: Prisma.sql`counts.error_code`, isCounted: Prisma.sql`counts.error_code <> ''` },
  organization: { key: Prisma.sql`o.code`, isCounted: Prisma.sql`true` },
} as const;

/** The counts of workers, and the recent transmissions that they have not counted yet. `from` and `to` are cut to hours. */
export async function readTransmissionSeries(
  db: ReadDb,
  { from, to, step, by }: WithTimes<TransmissionSeriesQuery>,
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): Promise<TransmissionSeries> {
  const { key, isCounted } = KEYS[by];
  const recentFrom = new Date(now.getTime() - RECENT_HOURS * 3_600_000);
  const isRecent = Prisma.sql`
    received_at >= date_trunc('hour', greatest(${from}::timestamptz, ${recentFrom}::timestamptz))
    AND received_at < ${to}::timestamptz
    AND NOT EXISTS (SELECT FROM counted_hours WHERE hour = date_trunc('hour', received_at))`;
  const rows = await db.$queryRaw<{ at: Date; key: string; count: number }[]>`
    SELECT date_trunc(${step}, counts.hour, ${timeZone}) AS at, ${key} AS key, sum(counts.count)::int AS count
    FROM (
      SELECT hour, organization_id, status, error_code, count FROM transmission_counts
      WHERE hour >= date_trunc('hour', ${from}::timestamptz) AND hour < ${to}::timestamptz
      UNION ALL
      SELECT date_trunc('hour', received_at), organization_id, status, coalesce(error_code, ''), 1
      FROM (SELECT * FROM transmissions WHERE ${isRecent} ORDER BY received_at DESC LIMIT ${RECENT_MAX}) AS recent
    ) AS counts JOIN organizations o ON o.id = counts.organization_id
    WHERE ${isCounted} GROUP BY 1, 2 ORDER BY 1, 2`;
  const points = new Map<string, TransmissionSeries['points'][number]>();
  for (const { at, key: counted, count } of rows) {
    const moment = at.toISOString();
    const point = points.get(moment) ?? { at: moment, counts: [] };
    point.counts.push({ key: counted, count });
    points.set(moment, point);
  }
  return { points: [...points.values()], isComplete: await isWhole(db, from, to, recentFrom) };
}

/** Whether every hour is counted or recent, and the recent ones were read to their end. */
async function isWhole(db: ReadDb, from: string, to: string, recentFrom: Date): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isWhole: boolean }[]>`
    SELECT NOT EXISTS (
        SELECT FROM (SELECT received_at FROM transmissions ORDER BY received_at LIMIT 1) AS first
        CROSS JOIN LATERAL generate_series(
          date_trunc('hour', greatest(first.received_at, ${from}::timestamptz)),
          least(${to}::timestamptz, date_trunc('hour', ${recentFrom}::timestamptz)) - interval '1 hour',
          interval '1 hour') AS hours (hour)
        WHERE NOT EXISTS (SELECT FROM counted_hours counted WHERE counted.hour = hours.hour))
      AND (
        SELECT count(*) <= ${RECENT_MAX} FROM (
          SELECT FROM transmissions
          WHERE received_at >= greatest(${from}::timestamptz, ${recentFrom}::timestamptz) AND received_at < ${to}::timestamptz
          LIMIT ${RECENT_MAX + 1}) AS recent) AS "isWhole"`;
  return row?.isWhole ?? false;
}
