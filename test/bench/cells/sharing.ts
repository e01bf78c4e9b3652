import { openBacklog, type Sender } from '../load/backlog.ts';
import { expectAll } from '../measure/correctness.ts';
import { type Bounds, measure, type Sample } from '../measure/sample.ts';
import { type Build, SHAPES, type Shape } from '../processes.ts';
import type { BenchDatabase } from '../servers.ts';
import { oncePerShape, type World } from '../world.ts';
import { type Cell, scaled } from './cell.ts';
import { WARM_UP_TIMES } from './registration.ts';
import { insurersOfPool, managementCompany } from './senders.ts';

/** Of each backlog: to register for many insurers costs more, whoever transmits. */
const INSURERS = 40;
/** Their pool's management company alone, and they themselves in turn, between which the workers share. */
const ORGANIZATIONS = [1, INSURERS] as const;
const WORKERS = 2;
/** At most fifty make a batch. */
const ITEMS = 6_000;
const ITEMS_MIN = 600;
/** More than the workers take at once, and few, so that nothing is left to do when all is settled. */
const WAKE_UPS = 16;

/**
 * What sharing between organizations costs is a few hundredths: workers that stay up settle backlogs of one organization and of many, one
 * right after the other.
 */
export const SHARING_CELLS: readonly Cell[] = SHAPES.flatMap((shape) =>
  ORGANIZATIONS.map(
    (organizations): Cell => ({
      name: `sharing-${shape}/${organizations}`,
      group: 'sharing',
      unit: 'certificate of 1 vehicle',
      about: `Backlogs of certificates of ${INSURERS} insurers of a pool, transmitted by ${organizations === 1 ? 'its management company' : 'each for itself'}, from the first wake-up until nothing waits; ${WORKERS} workers that stay up.`,
      seconds: 8,
      warmUpTimes: WARM_UP_TIMES,
      measure: async (world, scale, bounds) => {
        const settle = await workersOf(world, shape);
        return settle({ organizations, items: scaled(ITEMS, scale, ITEMS_MIN), bounds });
      },
    }),
  ),
);

/** The same for both cells of a shape, in one database: they differ in nothing but the organizations. */
const workersOf = oncePerShape((world, shape) =>
  prepareToSettle(world, { shape, databaseName: `bench_sharing_${shape}`, workers: WORKERS }),
);

export interface SettlingWorkers {
  readonly shape: Shape;
  readonly databaseName: string;
  /** As the world has them when left out. */
  readonly workers?: number;
  readonly build?: Build;
}

interface BacklogToSettle {
  /** Of which the transmissions are, in turn; a single one is the management company of all insurers. */
  readonly organizations: number;
  readonly items: number;
  readonly bounds: Bounds;
}

/** Records transmissions, wakes the workers, and lasts until all are settled. */
export type SettleBacklog = (backlog: BacklogToSettle) => Promise<Sample>;

/** Starts workers that stay up and get warm, for short measurements beside others. */
export async function prepareToSettle(
  world: World,
  { shape, databaseName, ...own }: SettlingWorkers,
): Promise<SettleBacklog> {
  const database = await world.database(databaseName);
  const queueName = databaseName;
  const environment = { QUEUE_NAME: queueName };
  const { watched } = await world.start({ shape, database, withApi: false, environment, ...own });
  const { servers } = world;
  return async ({ organizations, items, bounds }) => {
    const senders = await findSenders(database, organizations);
    const backlog = await openBacklog({ servers, database, shape, queueName, senders });
    try {
      return await measure({ servers, database, watched, bounds }, async () => async (window) => {
        // Only now: the planner's statistics are of a moment in which nothing waits, as when a dump follows a quiet night.
        await backlog.fillTo(items);
        await window.begin();
        const from = performance.now();
        await backlog.wake(WAKE_UPS);
        await backlog.drained();
        return {
          items,
          elapsedMs: performance.now() - from,
          expected: expectAll(items, 1),
        };
      });
    } finally {
      await backlog.close();
    }
  };
}

async function findSenders(database: BenchDatabase, organizations: number): Promise<Sender[]> {
  const insurers = await insurersOfPool(database, Math.max(INSURERS, organizations));
  if (organizations > 1) return insurers.slice(0, organizations);
  const codes = insurers.map(({ insurerCode }) => insurerCode);
  return managementCompany(database, codes);
}
