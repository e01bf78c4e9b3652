import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../shared/store/db.ts';

const LOOK_EVERY_MS = 10;

/** Until so many writers wait for a lock, or this one is through already. */
export async function untilWaiting(
  db: Pick<Db, '$queryRaw'>,
  writers: number,
  through: Promise<unknown>,
): Promise<void> {
  let isThrough = false;
  const ended = through.then(() => {
    isThrough = true;
  });
  for (;;) {
    const [row] = await db.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    if (isThrough || (row?.waiting ?? 0) >= writers) return;
    await Promise.race([ended, sleep(LOOK_EVERY_MS)]);
  }
}
