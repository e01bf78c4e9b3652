import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../../shared/db/with-client.ts';
import { BATCH_TRANSMISSIONS_MAX } from '../../../worker/process-transmission.ts';
import { type Backlog, KEPT_AT_ONCE_MAX, type Kept, openBacklog } from '../load/backlog.ts';
import { type Expected, expectAll } from '../measure/correctness.ts';
import { type Bounds, measure, type Sample } from '../measure/sample.ts';
import { goOn, type Registry, SHAPES, type Shape, standStill } from '../processes.ts';
import type { BenchDatabase } from '../servers.ts';
import type { World } from '../world.ts';
import { type Cell, type Scale, scaled } from './cell.ts';
import { insurerAlone } from './senders.ts';

interface Drain {
  readonly name: string;
  readonly about: string;
  readonly depth: (scale: Scale) => number;
  readonly workers: number;
  readonly keepsBacklog?: boolean;
}

const SMALL = 1_000;
const LARGE = 1_000_000;
const LARGE_QUICK = 50_000;
/** What each worker settles before it counts as warm, if it does so within a bounded time. */
const WARM_UP_ITEMS = 600;
const WARM_UP_MS_MAX = 20_000;
const LOOK_MS = 50;
/** What was due while the processes stood still is done first. */
const OVERDUE_MS = 200;
const WINDOW_MS = 4_000;
const WINDOW_MS_MIN = 800;

const small = { depth: () => SMALL, workers: 2 };

const DRAINS: readonly Drain[] = [
  {
    ...small,
    name: '1k',
    about: 'A thousand wait, of one organization; two workers.',
  },
  { ...small, name: '1k-1-worker', about: 'The same with one worker.', workers: 1 },
  {
    ...small,
    name: '4k-4-workers',
    about: 'A thousand wait for each of four workers.',
    depth: () => 4 * SMALL,
    workers: 4,
  },
  {
    ...small,
    name: '1m',
    about: `A million wait (${LARGE_QUICK} in a quick run), of one organization; two workers.`,
    depth: ({ isQuick }) => (isQuick ? LARGE_QUICK : LARGE),
    keepsBacklog: true,
  },
];

/**
 * What workers settle per second beside PostgreSQL, without API and generator. For what is settled as much is recorded
 * again, in every cell alike, so that the backlog keeps its depth while it is measured.
 */
export const DRAIN_CELLS: readonly Cell[] = SHAPES.flatMap((shape) =>
  DRAINS.map(
    (drain): Cell => ({
      name: `drain-${shape}/${drain.name}`,
      unit: 'certificate of 1 vehicle',
      about: drain.about,
      group: 'drains',
      seconds: drain.keepsBacklog === true ? 15 : 11,
      warmsUpItself: true,
      prepareSeconds: drain.keepsBacklog === true && shape === 'redis' ? 100 : 0,
      ...(drain.keepsBacklog === true
        ? { prepare: (world: World, scale: Scale) => prepare(world, shape, drain, scale) }
        : {}),
      measure: (world, scale, bounds) => measureDrain(world, shape, drain, scale, bounds),
    }),
  ),
);

/** Of its own: workers that stand still have some of a backlog in hand. */
function databaseOf({ name }: Drain): string {
  return `bench_drain_${name.replaceAll('-', '_')}`;
}

let queues = 0;

async function prepare(world: World, shape: Shape, drain: Drain, scale: Scale): Promise<void> {
  const database = await world.database(databaseOf(drain));
  const backlog = await openOwn(world, shape, database, 'prepare');
  try {
    await backlog.fillTo(drain.depth(scale));
  } finally {
    await backlog.close();
  }
}

async function measureDrain(
  world: World,
  shape: Shape,
  drain: Drain,
  scale: Scale,
  bounds: Bounds,
): Promise<Sample> {
  const database = await world.database(databaseOf(drain));
  // What an earlier measurement left in its queue is none of this one's work.
  queues += 1;
  const queueName = `drain-${queues}`;
  const { workers } = drain;
  const backlog = await openOwn(world, shape, database, queueName);
  let settling: Settling | undefined;
  const finish = async (): Promise<Expected> => {
    if (settling === undefined) throw new Error('nothing was begun');
    const { depth, kept, registry } = settling;
    const recorded = await kept.stop();
    await registry.stop();
    const left = await backlog.depth();
    return expectAll(depth + recorded - left, 1, left);
  };
  try {
    if (drain.keepsBacklog !== true) await backlog.clear();
    await backlog.fillTo(drain.depth(scale) + inHandMax(database, drain) + KEPT_AT_ONCE_MAX);
    const measured = { servers: world.servers, database, watched: [], bounds, finish };
    return await measure(measured, async () => {
      settling ??= await beginSettling(world, shape, drain, {
        backlog,
        database,
        queueName,
        warmUpItems: workers * scaled(WARM_UP_ITEMS, scale) * bounds.turns,
      });
      const { depth, registry } = settling;
      return async (window) => {
        goOn(registry);
        await sleep(OVERDUE_MS);
        await window.begin(registry.watched);
        const from = new Date();
        await sleep(scaled(WINDOW_MS, scale, WINDOW_MS_MIN));
        const to = new Date();
        await window.end();
        const waiting = await backlog.depth();
        await standStill(registry);
        if (waiting < drain.depth(scale) / 2)
          throw new Error(`of ${depth} that wait only ${waiting} were left`);
        return {
          items: await countCompleted(database, { from, to }),
          elapsedMs: to.getTime() - from.getTime(),
          figures: { waiting: depth, workers },
        };
      };
    });
  } finally {
    await settling?.kept.stop();
    await settling?.registry.stop();
    await backlog.close();
  }
}

/** Workers that settle a backlog which keeps its depth. */
interface Settling {
  /** When they began. */
  readonly depth: number;
  readonly kept: Kept;
  readonly registry: Registry;
}

interface SettlingOptions {
  readonly backlog: Backlog;
  readonly database: BenchDatabase;
  readonly queueName: string;
  readonly warmUpItems: number;
}

/** Warm, and standing still. */
async function beginSettling(
  world: World,
  shape: Shape,
  { workers }: Drain,
  { backlog, database, queueName, warmUpItems }: SettlingOptions,
): Promise<Settling> {
  const depth = await backlog.depth();
  // Before anything can be taken: what is taken before would never be recorded again.
  const kept = backlog.keep();
  const environment = { QUEUE_NAME: queueName };
  let registry: Registry | undefined;
  try {
    await backlog.wake();
    registry = await world.start({ shape, database, workers, withApi: false, environment });
    await warmedUp(kept, warmUpItems);
    await standStill(registry);
    return { depth, kept, registry };
  } catch (error) {
    await kept.stop();
    await registry?.stop();
    throw error;
  }
}

async function openOwn(
  { servers }: World,
  shape: Shape,
  database: BenchDatabase,
  queueName: string,
): Promise<Backlog> {
  const senders = await insurerAlone(database);
  return openBacklog({ servers, database, shape, queueName, senders });
}

/** What the workers take at once waits no longer when as much is recorded again. */
function inHandMax({ config }: BenchDatabase, { workers }: Drain): number {
  return workers * config.workerConcurrency * BATCH_TRANSMISSIONS_MAX;
}

async function warmedUp(kept: Kept, items: number): Promise<void> {
  const endsAt = performance.now() + WARM_UP_MS_MAX;
  while (kept.recorded() < items && performance.now() < endsAt) await sleep(LOOK_MS);
}

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** By the clock of the workers, which is this machine's. */
export function countCompleted({ url }: BenchDatabase, { from, to }: Period): Promise<number> {
  return withClient(url, 'bench-completed', async (client) => {
    const { rows } = await client.query<{ completed: number }>(
      'SELECT count(*)::int AS completed FROM transmissions WHERE completed_at >= $1 AND completed_at < $2',
      [from, to],
    );
    return rows[0]?.completed ?? 0;
  });
}
