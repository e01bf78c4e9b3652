import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

const DRAINED_LOOK_MS = 20;
const DRAINED_MS_MAX = 120_000;

/** Resolves when no transmission is in progress. */
export async function drained(client: Client): Promise<void> {
  const endsAt = performance.now() + DRAINED_MS_MAX;
  for (;;) {
    const { rows } = await client.query<{ waits: boolean }>(
      `SELECT EXISTS (
         SELECT FROM transmissions WHERE status IN ('RECEIVED', 'VALIDATING') AND parked_at IS NULL) AS waits`,
    );
    if (rows[0]?.waits !== true) return;
    if (performance.now() > endsAt) throw new Error('the backlog was not worked off in time');
    await sleep(DRAINED_LOOK_MS);
  }
}

/** Each certificate that is taken takes a number, so nothing is counted. */
export async function readTaken(client: Client): Promise<number> {
  const { rows } = await client.query<{ taken: string }>(
    'SELECT last_value AS taken FROM registry_sequence',
  );
  return Number(rows[0]?.taken ?? 0);
}
