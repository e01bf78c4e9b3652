import { withClient } from '../../../shared/db/with-client.ts';
import { makeCertificate, SIZES, type Size } from '../load/certificates.ts';
import { drained } from '../load/progress.ts';
import { makeSigner } from '../load/requests.ts';
import { type LoadResult, sendAll, sendAtRate } from '../load/send-all.ts';
import { expectAll } from '../measure/correctness.ts';
import type { Watched } from '../measure/processes.ts';
import { type Bounds, measure, type Sample } from '../measure/sample.ts';
import type { Shape } from '../processes.ts';
import type { BenchDatabase } from '../servers.ts';
import type { World } from '../world.ts';
import { type Cell, scaled } from './cell.ts';
import { requireAccepted } from './registration.ts';
import { makeSynchronousRequests, requireRegistered, synchronousPeer } from './synchronous.ts';

/** Something that registers over HTTP. */
interface Target {
  readonly name: string;
  open(world: World): Promise<OpenTarget>;
}

interface OpenTarget {
  readonly url: string;
  readonly database: BenchDatabase;
  readonly watched: readonly Watched[];
  /** `waits`: the answer comes with the terminal status. */
  requests(vehicles: number, count: number, waits: boolean): Promise<Buffer[]>;
  readonly check: (answer: { status: number; body: Buffer }) => void;
}

const registry = (shape: Shape): Target => ({
  name: shape,
  open: async (world) => {
    const { url, database, watched } = await world.registry(shape);
    return {
      url,
      database,
      watched,
      check: requireAccepted,
      requests: async (vehicles, count, waits) => {
        const signer = await makeSigner(url, database.client);
        return Array.from({ length: count }, () =>
          signer.sign({
            method: 'POST',
            path: '/ppai/policies',
            body: Buffer.from(JSON.stringify(makeCertificate(vehicles))),
            ...(waits ? {} : { prefer: 'respond-async' }),
          }),
        );
      },
    };
  },
});

const synchronous: Target = {
  name: 'sync',
  open: async (world) => {
    const { url, database, watched } = await synchronousPeer(world);
    return {
      url,
      database,
      watched: [watched],
      check: requireRegistered,
      requests: async (vehicles, count) => makeSynchronousRequests('/nested', vehicles, count),
    };
  },
};

const TARGETS: readonly Target[] = [registry('embedded'), registry('redis'), synchronous];
const IDLE_ITEMS: Readonly<Record<Size, number>> = { 1: 150, 500: 12 };
const IDLE_ITEMS_MIN: Readonly<Record<Size, number>> = { 1: 30, 500: 4 };
const OPEN_ITEMS: Readonly<Record<Size, number>> = { 1: 600, 500: 40 };
const OPEN_ITEMS_MIN: Readonly<Record<Size, number>> = { 1: 100, 500: 8 };
const CAPACITY_ITEMS: Readonly<Record<Size, number>> = { 1: 300, 500: 12 };
const CAPACITY_ITEMS_MIN: Readonly<Record<Size, number>> = { 1: 100, 500: 8 };
/** Enough that a request that is due never waits for another connection unless the server is behind. */
const OPEN_CONNECTIONS = 64;
const CAPACITY_CONNECTIONS = 8;
const LOAD = 0.7;

export const LATENCY_CELLS: readonly Cell[] = TARGETS.flatMap((target) =>
  SIZES.flatMap((size): Cell[] => [
    {
      name: `idle-${target.name}/${size}`,
      group: 'idle',
      unit: 'certificate',
      seconds: size === 1 ? 3 : 6,
      isLong: size > 1,
      about: 'One POST at a time, answered with the terminal status; nothing else is going on.',
      measure: (world, scale, bounds) =>
        measureLatency(world, bounds, {
          target,
          vehicles: size,
          items: scaled(IDLE_ITEMS[size], scale, IDLE_ITEMS_MIN[size]),
          capacityItems: 0,
          waits: true,
          send: (load) => sendAll({ ...load, connections: 1 }),
        }),
    },
    {
      name: `open-${target.name}/${size}`,
      group: 'open',
      unit: 'certificate',
      seconds: size === 1 ? 4 : 14,
      isLong: true,
      about:
        'POSTs at 70 % of what the target registers per second, sent when they are due whatever became of those before; the clock starts when one is due and ends with the answer (202 from the registry).',
      measure: async (world, scale, bounds) =>
        measureLatency(world, bounds, {
          target,
          vehicles: size,
          items: scaled(OPEN_ITEMS[size], scale, OPEN_ITEMS_MIN[size]),
          capacityItems: scaled(CAPACITY_ITEMS[size], scale, CAPACITY_ITEMS_MIN[size]),
          waits: false,
          send: (load, capacityPerSecond) =>
            sendAtRate({
              ...load,
              connections: OPEN_CONNECTIONS,
              perSecond: LOAD * capacityPerSecond,
            }),
        }),
    },
  ]),
);

interface LatencyLoad {
  readonly target: Target;
  readonly vehicles: Size;
  readonly items: number;
  /** Sent without a pause just before: the machine is not the same in each moment. */
  readonly capacityItems: number;
  /** Whether the answer comes with the terminal status. */
  readonly waits: boolean;
  readonly send: (load: Load, capacityPerSecond: number) => Promise<LoadResult>;
}

interface Load {
  readonly url: string;
  readonly requests: readonly Buffer[];
  readonly check: OpenTarget['check'];
}

async function measureLatency(
  world: World,
  bounds: Bounds,
  { target, vehicles, items, capacityItems, waits, send }: LatencyLoad,
): Promise<Sample> {
  const { url, database, watched, check, requests: make } = await target.open(world);
  const { servers } = world;
  return withClient(database.url, 'bench-latency', (client) =>
    measure({ servers, database, watched, bounds }, async () => {
      const busy = await make(vehicles, capacityItems, false);
      const requests = await make(vehicles, items, waits);
      return async (window) => {
        const started = performance.now();
        await sendAll({ url, check, requests: busy, connections: CAPACITY_CONNECTIONS });
        await drained(client);
        const capacityPerSecond = (capacityItems * 1_000) / (performance.now() - started);
        await window.begin();
        const { latenciesMs, elapsedMs } = await send({ url, check, requests }, capacityPerSecond);
        await drained(client);
        const expected = expectAll(capacityItems + items, vehicles);
        return { items, elapsedMs, latenciesMs, expected };
      };
    }),
  );
}
