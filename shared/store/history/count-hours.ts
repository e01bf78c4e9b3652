import { HISTORY_DAYS } from '../../contract/staff/views/history.ts';
import type { Db } from '../../db/prisma.ts';

/** Time for the transmissions of an hour to become terminal before they are counted. */
const SETTLED_MINUTES = 5;
/** An hour with transmissions in progress is counted again after this time. */
const RECOUNT_MINUTES = 60;

/** Counts the transmissions of one hour: the latest that ended and needs it. Returns its beginning; undefined when none does. */
export async function countNextHour(db: Db, now: Date): Promise<Date | undefined> {
  const [due] = await db.$queryRaw<{ hour: Date }[]>`
    SELECT hours.hour
    FROM (SELECT received_at FROM transmissions ORDER BY received_at LIMIT 1) AS first
    CROSS JOIN LATERAL generate_series(
      date_trunc('hour', greatest(first.received_at, ${now}::timestamptz - make_interval(days => ${HISTORY_DAYS}))),
      date_trunc('hour', ${now}::timestamptz - make_interval(mins => ${SETTLED_MINUTES})) - interval '1 hour',
      interval '1 hour') AS hours (hour)
    LEFT JOIN counted_hours counted ON counted.hour = hours.hour
    WHERE counted.hour IS NULL OR (counted.in_progress > 0
      AND counted.counted_at < ${now}::timestamptz - make_interval(mins => ${RECOUNT_MINUTES}))
    ORDER BY hours.hour DESC LIMIT 1`;
  if (due !== undefined) await countHour(db, due.hour, now);
  return due?.hour;
}

/** Replaces the counts of an hour. The row of the hour lets one worker at a time count it. */
async function countHour(db: Db, hour: Date, now: Date): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`
      INSERT INTO counted_hours (hour, counted_at, in_progress) VALUES (${hour}::timestamptz, ${now}::timestamptz, 0)
      ON CONFLICT (hour) DO UPDATE SET counted_at = excluded.counted_at`;
    await tx.$executeRaw`DELETE FROM transmission_counts WHERE hour = ${hour}::timestamptz`;
    await tx.$executeRaw`
      INSERT INTO transmission_counts (hour, organization_id, status, error_code, count)
      SELECT ${hour}::timestamptz, organization_id, status, coalesce(error_code, ''), count(*)
      FROM transmissions
      WHERE received_at >= ${hour}::timestamptz AND received_at < ${hour}::timestamptz + interval '1 hour'
      GROUP BY organization_id, status, coalesce(error_code, '')`;
    await tx.$executeRaw`
      UPDATE counted_hours SET in_progress = (
        SELECT coalesce(sum(count), 0) FROM transmission_counts
        WHERE hour = ${hour}::timestamptz AND status IN ('RECEIVED', 'VALIDATING'))
      WHERE hour = ${hour}::timestamptz`;
  });
}

const PRUNED_ROWS_MAX = 1_000;

/** One bounded pass over what is older than HISTORY_DAYS. */
export async function pruneHistory(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - HISTORY_DAYS * 86_400_000);
  await db.$executeRaw`
    DELETE FROM queue_samples WHERE minute IN (
      SELECT minute FROM queue_samples WHERE minute < ${before}::timestamptz ORDER BY minute LIMIT ${PRUNED_ROWS_MAX})`;
  await db.$executeRaw`
    DELETE FROM counted_hours WHERE hour IN (
      SELECT hour FROM counted_hours WHERE hour < ${before}::timestamptz - interval '1 hour' ORDER BY hour LIMIT ${PRUNED_ROWS_MAX})`;
}
