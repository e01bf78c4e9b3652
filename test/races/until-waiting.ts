import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../shared/db/prisma.ts';

type Database = Pick<Db, '$queryRaw'>;

const POLL_INTERVAL_MS = 10;

/** Waits until `writers` writers wait for a lock, or `writer` has settled. */
export async function untilWaiting(
  db: Database,
  writers: number,
  writer: Promise<unknown>,
): Promise<void> {
  await pollUntil(writer, async () => {
    const [row] = await db.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (row?.waiting ?? 0) >= writers;
  });
}

/** Waits until a writer waits for a waiting writer, which it then cannot overtake. False when `writer` has settled before. */
export function untilBehind(db: Database, writer: Promise<unknown>): Promise<boolean> {
  return pollUntil(writer, async () => {
    const [row] = await db.$queryRaw<{ behind: boolean }[]>`
      SELECT EXISTS (
        SELECT FROM pg_stat_activity a, unnest(pg_blocking_pids(a.pid)) AS before (pid)
        WHERE datname = current_database() AND cardinality(pg_blocking_pids(before.pid)) > 0) AS behind`;
    return row?.behind === true;
  });
}

/** True when the condition is met before `writer` has settled. */
async function pollUntil(
  writer: Promise<unknown>,
  isMet: () => Promise<boolean>,
): Promise<boolean> {
  let hasSettled = false;
  const ended = writer.then(() => {
    hasSettled = true;
  });
  for (;;) {
    const result = await isMet();
    if (hasSettled || result) return result;
    await Promise.race([ended, sleep(POLL_INTERVAL_MS)]);
  }
}
