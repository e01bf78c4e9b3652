import { type Entry, externalIdOf } from '../../round-report.ts';
import type { World } from '../../world.ts';

/** The results of all rounds of a scenario in one world. */
export interface Score {
  readonly startedAt: number;
  readonly deadlocksBefore: number;
  races: number;
  winners: number;
  /** Milliseconds from receipt to the terminal status, as stored, of concurrent races and of single races. */
  readonly crowdedMs: number[];
  readonly aloneMs: number[];
}

/** Keeps one score per world, because a scenario has many rounds in it. */
export function makeScoreOf(): (world: World) => Promise<Score> {
  const scores = new WeakMap<World, Score>();
  return async (world) => {
    const known = scores.get(world);
    if (known !== undefined) return known;
    const score: Score = {
      startedAt: performance.now(),
      deadlocksBefore: await countDeadlocks(world),
      races: 0,
      winners: 0,
      crowdedMs: [],
      aloneMs: [],
    };
    scores.set(world, score);
    return score;
  };
}

const IDS_AT_ONCE = 10_000;

export async function readSettledMs(
  { db }: Pick<World, 'db'>,
  entries: readonly Entry[],
): Promise<number[]> {
  const found: number[] = [];
  for (let from = 0; from < entries.length; from += IDS_AT_ONCE) {
    const ids = entries.slice(from, from + IDS_AT_ONCE).map(externalIdOf);
    const rows = await db.$queryRaw<{ ms: number }[]>`
      SELECT extract(epoch FROM completed_at - received_at)::float8 * 1000 AS ms FROM transmissions
      WHERE external_transaction_id = ANY(${ids}) AND completed_at IS NOT NULL`;
    found.push(...rows.map(({ ms }) => ms));
  }
  return found;
}

/** Sessions report their statistics from time to time and when they end. So in the last round the workers are restarted. */
export async function countDeadlocksSince(
  world: World,
  { deadlocksBefore }: Score,
  isLast: boolean,
): Promise<number> {
  if (isLast) {
    const ending = world.workers;
    for (const worker of ending) worker.signal('SIGTERM');
    await Promise.all(ending.map(({ ended }) => ended));
    await world.restore();
  }
  return (await countDeadlocks(world)) - deadlocksBefore;
}

/** Only with Redis: on PostgreSQL the statistics would also count the deadlocks of BullMQ's own tables (ADR 14). */
async function countDeadlocks({ db, shape }: Pick<World, 'db' | 'shape'>): Promise<number> {
  if (shape === 'embedded') return 0;
  const [row] = await db.$queryRaw<{ n: number }[]>`
    SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()`;
  return row?.n ?? -1;
}

/** One line per scenario and shape, with figures and whether p99 is within the bound. */
export function describeScore(
  what: string,
  { startedAt, races, winners, crowdedMs, aloneMs }: Score,
  deadlocks: number,
  { boundMs, atOnce }: { readonly boundMs: number; readonly atOnce: number },
): string {
  const seconds = (performance.now() - startedAt) / 1_000;
  const certificates = crowdedMs.length + aloneMs.length;
  const p99 = percentile(aloneMs, 99);
  return [
    `     ${what}: ${races} races, ${certificates} certificates, ${winners} winners, ${deadlocks} deadlocks`,
    `${(certificates / seconds).toFixed(0)} certificates/s`,
    `from receipt to outcome p50 ${percentile(aloneMs, 50)} ms, p99 ${p99} ms (bound ${boundMs} ms: ${p99 <= boundMs ? 'kept' : 'EXCEEDED'})`,
    `of ${atOnce} races at a time p50 ${percentile(crowdedMs, 50)} ms, p99 ${percentile(crowdedMs, 99)} ms\n`,
  ].join('; ');
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.ceil((sorted.length * share) / 100) - 1] ?? 0);
}
