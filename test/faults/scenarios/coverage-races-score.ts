import { type Entry, externalIdOf } from '../book.ts';
import type { World } from '../world.ts';

/** What all rounds of one scenario in one world came to. */
export interface Score {
  readonly startedAt: number;
  readonly deadlocksBefore: number;
  races: number;
  winners: number;
  /** From receipt to the terminal status, as stored, milliseconds. */
  readonly settledMs: number[];
  /** From sending to the outcome, as the client saw it, milliseconds. */
  readonly answeredMs: number[];
}

/** Keeps one score a world, for a scenario has many rounds in it. */
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
      settledMs: [],
      answeredMs: [],
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

/** Sessions hand their counts over when they end: the workers make room for others before. */
export async function countDeadlocksOfAll(world: World): Promise<number> {
  await Promise.all(
    world.workers.map((worker) => {
      worker.signal('SIGTERM');
      return worker.ended;
    }),
  );
  const deadlocks = await countDeadlocks(world);
  await world.restore();
  return deadlocks;
}

async function countDeadlocks({ db }: Pick<World, 'db'>): Promise<number> {
  const [row] = await db.$queryRaw<{ n: number }[]>`
    SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()`;
  return row?.n ?? -1;
}

/** One line a scenario and shape: numbers, and whether the slowest hundredth keeps the bound. */
export function describeScore(
  what: string,
  { startedAt, races, winners, settledMs, answeredMs }: Score,
  deadlocks: number,
  boundMs: number,
): string {
  const seconds = (performance.now() - startedAt) / 1_000;
  const p99 = percentile(settledMs, 99);
  return [
    `     ${what}: ${races} races, ${settledMs.length} certificates, ${winners} winners, ${deadlocks} deadlocks`,
    `${(settledMs.length / seconds).toFixed(0)} certificates/s`,
    `receipt to outcome p50 ${percentile(settledMs, 50)} ms, p99 ${p99} ms (bound ${boundMs} ms: ${p99 <= boundMs ? 'kept' : 'EXCEEDED'})`,
    `as the client saw it p50 ${percentile(answeredMs, 50)} ms, p99 ${percentile(answeredMs, 99)} ms\n`,
  ].join('; ');
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.ceil((sorted.length * share) / 100) - 1] ?? 0);
}
