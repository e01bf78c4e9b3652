import type { Db } from '../../db/prisma.ts';
import type { Backlog } from '../intake/backlog.ts';

export interface QueueSample {
  readonly backlog: Pick<
    Backlog,
    'waiting' | 'oldestSeconds' | 'parked' | 'settledPerSecond' | 'workers'
  >;
  readonly feedLagSeconds: number;
}

/** A sample and its minute. */
export interface RecordedSample extends QueueSample {
  readonly at: Date;
}

/** Records samples, except for minutes that have one: another worker has recorded it. */
export async function recordQueueSamples(
  db: Pick<Db, '$executeRaw'>,
  samples: readonly RecordedSample[],
): Promise<void> {
  const rows = samples.map(({ at, backlog, feedLagSeconds }) => ({
    at,
    feedLagSeconds,
    ...backlog,
  }));
  await db.$executeRaw`
    INSERT INTO queue_samples (minute, depth, oldest_seconds, parked, settled_per_second, workers, feed_lag_seconds)
    SELECT date_trunc('minute', at), waiting, "oldestSeconds", parked, "settledPerSecond", workers, "feedLagSeconds"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS sample (at timestamptz, waiting int,
      "oldestSeconds" float8, parked int, "settledPerSecond" float8, workers int, "feedLagSeconds" float8)
    ON CONFLICT (minute) DO NOTHING`;
}

export async function isSampled(db: Pick<Db, '$queryRaw'>, at: Date): Promise<boolean> {
  const found = await db.$queryRaw<object[]>`
    SELECT 1 AS found FROM queue_samples WHERE minute = date_trunc('minute', ${at}::timestamptz)`;
  return found.length > 0;
}
