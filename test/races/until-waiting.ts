import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../shared/db/prisma.ts';

type Asked = Pick<Db, '$queryRaw'>;

const LOOK_EVERY_MS = 10;

/** Until so many writers wait for a lock, or this one is through already. */
export async function untilWaiting(
  db: Asked,
  writers: number,
  through: Promise<unknown>,
): Promise<void> {
  await untilSeen(through, async () => {
    const [row] = await db.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (row?.waiting ?? 0) >= writers;
  });
}

/** Until a writer waits for one who waits, and so can't be before it. False when this one is through already. */
export function untilBehind(db: Asked, through: Promise<unknown>): Promise<boolean> {
  return untilSeen(through, async () => {
    const [row] = await db.$queryRaw<{ behind: boolean }[]>`
      SELECT EXISTS (
        SELECT FROM pg_stat_activity a, unnest(pg_blocking_pids(a.pid)) AS before (pid)
        WHERE datname = current_database() AND cardinality(pg_blocking_pids(before.pid)) > 0) AS behind`;
    return row?.behind === true;
  });
}

/** True when it is seen before this one is through. */
async function untilSeen(
  through: Promise<unknown>,
  look: () => Promise<boolean>,
): Promise<boolean> {
  let isThrough = false;
  const ended = through.then(() => {
    isThrough = true;
  });
  for (;;) {
    const isSeen = await look();
    if (isThrough || isSeen) return isSeen;
    await Promise.race([ended, sleep(LOOK_EVERY_MS)]);
  }
}
