import type { Db } from '../db/prisma.ts';
import type { Processing } from '../platform/health-server.ts';
import { OK } from '../platform/readiness.ts';
import { isStalled, readStanding } from './intake/backlog.ts';

/** `ok`, or why the database accepts no writes: a server that answers may be a standby or read-only. */
export async function checkDatabase(db: Db): Promise<string> {
  const [row] = await db.$queryRaw<{ read_only: string }[]>`
    SELECT current_setting('transaction_read_only') AS read_only`;
  return row?.read_only === 'off' ? OK : 'takes no writes';
}

/** Whether workers process the waiting transmissions (D60). */
export async function checkProcessing(db: Db): Promise<Processing> {
  const standing = await readStanding(db);
  const { oldestSeconds, lastTakenSeconds, workers } = standing;
  return {
    isStalled: isStalled(standing),
    details: { oldestSeconds, lastTakenSeconds: lastTakenSeconds ?? null, workers },
  };
}
