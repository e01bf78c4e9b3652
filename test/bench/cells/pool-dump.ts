import type { SeededClient } from '../../../ops/seed.ts';
import { type Backlog, openBacklog } from '../load/backlog.ts';
import { makeCertificates } from '../load/certificates.ts';
import { makeSigner } from '../load/requests.ts';
import { sendAll, sendAtRate } from '../load/send-all.ts';
import { type Expected, expectAll } from '../measure/correctness.ts';
import { untilQuiet } from '../measure/processes.ts';
import { type Bounds, measure, type Sample, type Window, type Work } from '../measure/sample.ts';
import { type Build, goOn, type Registry, SHAPES, type Shape, standStill } from '../processes.ts';
import type { BenchDatabase } from '../servers.ts';
import type { World } from '../world.ts';
import { type Cell, type Scale, scaled } from './cell.ts';
import { requireAccepted } from './registration.ts';
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
const SMALL_REQUESTS_MIN = 20;
const WAIT_SECONDS = 30;

const SMALL = { group: 'small insurer', unit: 'certificate of 1 vehicle', warmsUpItself: true };

export const POOL_DUMP_CELLS: readonly Cell[] = SHAPES.flatMap((shape): Cell[] => [
  {
    ...SMALL,
    name: `small-${shape}/alone`,
    about: `A small insurer sends ${SMALL_PER_SECOND} certificates a second, due at fixed times, and waits for their terminal status; nothing else is going on.`,
    seconds: 32,
    measure: (world, scale, bounds) => {
      const target = { shape, databaseName: `bench_alone_${shape}` };
      return measureSmall(world, target, scale, NO_DUMP, bounds);
    },
  },
  {
    ...besideDump(shape, 'dump', POOL_CONNECTIONS),
    about: `The same while ${DUMPED} certificates of a management company wait (${DUMPED_QUICK} in a quick run) and its client goes on sending over ${POOL_CONNECTIONS} connections.`,
  },
  {
    ...besideDump(shape, 'crowd', CROWD_CONNECTIONS),
    about: `The same over ${CROWD_CONNECTIONS} connections, each with its next request as soon as the one before is answered.`,
  },
]);

function besideDump(shape: Shape, name: string, connections: number): Omit<Cell, 'about'> {
  // Of its own: workers that stand still have some of a backlog in hand.
  const databaseName = `bench_${name}_${shape}`;
  return {
    ...SMALL,
    name: `small-${shape}/${name}`,
    seconds: 40,
    prepareSeconds: 12,
    prepare: async (world, scale) => {
      const database = await world.database(databaseName);
      const backlog = await openDump(world, shape, database, 'prepare');
      try {
        await backlog.fillTo(depthOf(scale));
      } finally {
        await backlog.close();
      }
    },
    measure: (world, scale, bounds) => {
      const target = { shape, databaseName };
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

let queues = 0;

export async function measureSmall(
  world: World,
  { shape, databaseName, build }: Target,
  scale: Scale,
  dump: Dump,
  bounds: Bounds,
): Promise<Sample> {
  const database = await world.database(databaseName);
  queues += 1;
  const queueName = `small-${queues}`;
  const backlog = await openDump(world, shape, database, queueName);
  let served: Served | undefined;
  let sent = 0;
  const finish = async (): Promise<Expected> => {
    if (served === undefined) throw new Error('nothing was begun');
    const { registry, waiting } = served;
    await registry.stop();
    const left = await backlog.depth();
    return expectAll(waiting + sent - left, 1, left);
  };
  try {
    await backlog.fillTo(dump.depth);
    const measured = { servers: world.servers, database, watched: [], bounds, finish };
    return await measure(measured, async () => {
      if (served === undefined) {
        const waiting = await backlog.depth();
        const registry = await world.start({
          shape,
          database,
          ...(build === undefined ? {} : { build }),
          // What an earlier measurement left is old, and is to be worked off.
          environment: { QUEUE_NAME: queueName, BACKLOG_AGE_MAX_SECONDS: '86400' },
        });
        await untilQuiet(dump.depth === 0 ? registry.watched : []);
        const { url } = registry;
        const makeSmall = await makeRequests(url, clientOf(database, 'bravo'), 'INS-BRAVO');
        const makePool = await makeRequests(url, clientOf(database, 'mgt-one'), 'INS-ALPHA');
        served = { registry, waiting, makeSmall, makePool };
        const warming = makeSmall(scaled(SMALL_WARM_UP, scale) * bounds.turns, WAIT_SECONDS);
        await backlog.wake();
        await sendAll({
          url,
          connections: SMALL_WARM_UP_CONNECTIONS,
          check: requireAccepted,
          requests: warming,
        });
        sent += warming.length;
        await standStill(registry);
      }
      const { registry, makeSmall, makePool } = served;
      const before = makeSmall(scaled(SMALL_BEFORE, scale), WAIT_SECONDS);
      const requests = makeSmall(scaled(SMALL_REQUESTS, scale, SMALL_REQUESTS_MIN), WAIT_SECONDS);
      const poolRequests = makePool(dump.depth === 0 ? 0 : scaled(POOL_REQUESTS, scale), undefined);
      return async (window) => {
        goOn(registry);
        const load = { registry, dump, before, requests, poolRequests };
        const { poolSent, ...work } = await sendBesidePool(window, load);
        sent += before.length + requests.length + poolSent;
        await standStill(registry);
        return { ...work, figures: { waitingAfter: await backlog.depth(), poolSent } };
      };
    });
  } finally {
    await served?.registry.stop();
    await backlog.close();
  }
}

/** A registry that has begun with a dump. */
interface Served {
  readonly registry: Registry;
  readonly waiting: number;
  readonly makeSmall: MakeRequests;
  readonly makePool: MakeRequests;
}

interface SmallLoad {
  readonly registry: Registry;
  readonly dump: Dump;
  readonly before: readonly Buffer[];
  readonly requests: readonly Buffer[];
  readonly poolRequests: readonly Buffer[];
}

/** The pool goes on sending until all of the small insurer are answered. */
async function sendBesidePool(
  window: Window,
  { registry: { url, watched }, dump, before, requests, poolRequests }: SmallLoad,
): Promise<Work & { readonly poolSent: number }> {
  const dumping = new AbortController();
  const { signal } = dumping;
  const check = requireAccepted;
  const { connections } = dump;
  const pool = sendAll({ url, connections, check, requests: poolRequests, signal });
  pool.catch(() => undefined);
  try {
    const small = { url, connections: SMALL_CONNECTIONS, check, perSecond: SMALL_PER_SECOND };
    await sendAtRate({ ...small, requests: before });
    await window.begin(watched);
    const { latenciesMs, elapsedMs } = await sendAtRate({ ...small, requests });
    await window.end();
    dumping.abort();
    const poolSent = (await pool).latenciesMs.length;
    return { items: requests.length, elapsedMs, latenciesMs, poolSent };
  } finally {
    dumping.abort();
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
