import type { SeededClient } from '../../../ops/seed.ts';
import { type Backlog, openBacklog } from '../load/backlog.ts';
import { makeCertificates } from '../load/certificates.ts';
import { makeSigner } from '../load/requests.ts';
import { sendAll, sendAtRate } from '../load/send-all.ts';
import { untilQuiet } from '../measure/processes.ts';
import { type Bounds, measure, type Sample } from '../measure/sample.ts';
import { percentile } from '../measure/statistics.ts';
import { type Build, SHAPES, type Shape } from '../processes.ts';
import type { BenchDatabase } from '../servers.ts';
import type { World } from '../world.ts';
import { type Cell, type Scale, scaled } from './cell.ts';
import { demandAccepted } from './registration.ts';
import { managementCompany } from './senders.ts';

const DUMPED = 100_000;
const DUMPED_QUICK = 5_000;
/** What the pool's client sends meanwhile, at most, and how many at a time. */
const POOL_REQUESTS = 12_000;
const POOL_CONNECTIONS = 8;
const CROWD_CONNECTIONS = 200;
const SMALL_PER_SECOND = 20;
/** So many that its p99 is not the second slowest alone. */
const SMALL_REQUESTS = 360;
/** Sent as fast as they are settled: the processes of a registry that is up have compiled what they run, and new ones take several times the CPU. */
const SMALL_WARM_UP = 2_000;
const SMALL_WARM_UP_CONNECTIONS = 16;
/** Then at the rate of those that are measured, beside the pool's. */
const SMALL_BEFORE = 100;
const SMALL_CONNECTIONS = 64;
const SMALL_REQUESTS_MIN = 40;

export const POOL_DUMP_CELLS: readonly Cell[] = SHAPES.flatMap((shape): Cell[] => [
  {
    name: `small-${shape}/alone`,
    unit: 'certificate of 1 vehicle',
    about: `A small insurer sends ${SMALL_PER_SECOND} certificates a second, due at fixed times, and waits for their terminal status; nothing else is going on.`,
    seconds: 32,
    warmsUpItself: true,
    measure: (world, scale, bounds) => {
      const target = { shape, databaseName: databaseOf(shape, false) };
      return measureSmall(world, target, scale, NO_DUMP, bounds);
    },
  },
  {
    ...besideDump(shape, POOL_CONNECTIONS),
    name: `small-${shape}/dump`,
    about: `The same while ${DUMPED} certificates of a management company wait (${DUMPED_QUICK} in a quick run) and its client goes on sending over ${POOL_CONNECTIONS} connections.`,
    prepareSeconds: 12,
    prepare: async (world, scale) => {
      const database = await world.database(databaseOf(shape, true));
      const backlog = await openDump(world, shape, database, 'prepare');
      try {
        await backlog.fillTo(depthOf(scale));
      } finally {
        await backlog.close();
      }
    },
  },
  {
    ...besideDump(shape, CROWD_CONNECTIONS),
    name: `small-${shape}/crowd`,
    about: `The same over ${CROWD_CONNECTIONS} connections, each with its next request as soon as the one before is answered.`,
  },
]);

function besideDump(shape: Shape, connections: number): Omit<Cell, 'name' | 'about'> {
  return {
    unit: 'certificate of 1 vehicle',
    seconds: 40,
    warmsUpItself: true,
    measure: (world, scale, bounds) => {
      const target = { shape, databaseName: databaseOf(shape, true) };
      return measureSmall(world, target, scale, { depth: depthOf(scale), connections }, bounds);
    },
  };
}

/** What the pool has sent before, and over how many connections it goes on. */
interface Dump {
  readonly depth: number;
  readonly connections: number;
}

const NO_DUMP: Dump = { depth: 0, connections: 0 };
/** For a comparison of builds: deep enough to wait all the time, and soon recorded. */
export const SHORT_DUMP: Dump = { depth: 30_000, connections: POOL_CONNECTIONS };

/** Where the small insurer and the pool transmit to. */
interface Target {
  readonly shape: Shape;
  readonly databaseName: string;
  /** Another than that of the world. */
  readonly build?: Build;
}

const depthOf = ({ isQuick }: Scale): number => (isQuick ? DUMPED_QUICK : DUMPED);
const databaseOf = (shape: Shape, dumps: boolean): string =>
  `bench_${dumps ? 'dump' : 'alone'}_${shape}`;

let queues = 0;

export async function measureSmall(
  world: World,
  { shape, databaseName, build }: Target,
  scale: Scale,
  { depth, connections }: Dump,
  bounds: Bounds,
): Promise<Sample> {
  const database = await world.database(databaseName);
  queues += 1;
  const queueName = `small-${queues}`;
  const backlog = await openDump(world, shape, database, queueName);
  try {
    await backlog.fillTo(depth);
    const measured = { servers: world.servers, database, watched: [], bounds };
    return await measure(measured, async (window) => {
      const waiting = await backlog.depth();
      const registry = await world.start({
        shape,
        database,
        ...(build === undefined ? {} : { build }),
        // What an earlier measurement left is old, and is to be worked off.
        environment: { QUEUE_NAME: queueName, BACKLOG_AGE_MAX_SECONDS: '86400' },
      });
      const { url, watched } = registry;
      const dumping = new AbortController();
      const items = Math.max(SMALL_REQUESTS_MIN, scaled(SMALL_REQUESTS, scale));
      const warmUpItems = scaled(SMALL_WARM_UP, scale);
      const itemsBefore = scaled(SMALL_BEFORE, scale);
      try {
        await untilQuiet(depth === 0 ? watched : []);
        const makeSmall = await makeRequests(url, clientOf(database, 'bravo'), 'INS-BRAVO');
        const makePool = await makeRequests(url, clientOf(database, 'mgt-one'), 'INS-ALPHA');
        const smallLoad = { url, connections: SMALL_CONNECTIONS, check: demandAccepted };
        const [warming, before] = [makeSmall(warmUpItems, 30), makeSmall(itemsBefore, 30)];
        const requests = makeSmall(items, 30);
        const poolRequests = makePool(depth === 0 ? 0 : scaled(POOL_REQUESTS, scale), undefined);
        const wokenMs = performance.now();
        await backlog.wake();
        await sendAll({ ...smallLoad, connections: SMALL_WARM_UP_CONNECTIONS, requests: warming });
        const pool = sendAll({
          url,
          connections,
          check: demandAccepted,
          requests: poolRequests,
          signal: dumping.signal,
        });
        pool.catch(() => undefined);
        await sendAtRate({ ...smallLoad, requests: before, perSecond: SMALL_PER_SECOND });
        await window.begin(watched);
        const { latenciesMs, elapsedMs } = await sendAtRate({
          ...smallLoad,
          requests,
          perSecond: SMALL_PER_SECOND,
        });
        await window.end();
        dumping.abort();
        const { latenciesMs: poolLatenciesMs } = await pool;
        await registry.stop();
        const workingMs = performance.now() - wokenMs;
        const left = await backlog.depth();
        const sent = warmUpItems + itemsBefore + items + poolLatenciesMs.length;
        const settled = waiting + sent - left;
        return {
          items,
          elapsedMs,
          figures: {
            p50Ms: percentile(latenciesMs, 50),
            p90Ms: percentile(latenciesMs, 90),
            p99Ms: percentile(latenciesMs, 99),
            maxMs: Math.max(...latenciesMs),
            waitingBefore: waiting,
            waitingAfter: left,
            poolSent: poolLatenciesMs.length,
            settledPerSecond: (settled / workingMs) * 1_000,
          },
          expected: { accepted: settled, registered: settled, vehicles: settled, inProgress: left },
        };
      } finally {
        dumping.abort();
        await registry.stop();
      }
    });
  } finally {
    await backlog.close();
  }
}

type MakeRequests = (count: number, waitSeconds: number | undefined) => Buffer[];

async function makeRequests(
  url: string,
  client: SeededClient,
  insurerCode: string,
): Promise<MakeRequests> {
  const signer = await makeSigner(url, client);
  const bodies = makeCertificates([insurerCode]);
  return (count, waitSeconds) =>
    Array.from({ length: count }, () =>
      signer.sign({
        method: 'POST',
        path: '/ppai/policies',
        body: Buffer.from(JSON.stringify(bodies.next().value)),
        prefer: waitSeconds === undefined ? 'respond-async' : `wait=${waitSeconds}`,
      }),
    );
}

function clientOf({ clients }: BenchDatabase, name: string): SeededClient {
  const client = clients.find((one) => one.name === name);
  if (client === undefined) throw new Error(`the demonstration client ${name} is missing`);
  return client;
}

async function openDump(
  { servers }: World,
  shape: Shape,
  database: BenchDatabase,
  queueName: string,
): Promise<Backlog> {
  const senders = await managementCompany(database, ['INS-ALPHA']);
  return openBacklog({ servers, database, shape, queueName, senders });
}
