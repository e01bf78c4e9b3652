import { untilQuiet } from './measure/processes.ts';
import {
  type Build,
  environmentOf,
  type Registry,
  type RegistryOptions,
  type RunningProcess,
  type Shape,
  startPeer,
  startRegistry,
} from './processes.ts';
import { type BenchDatabase, type Servers, startServers } from './servers.ts';

/** What the cells measure, started when the first of them asks and kept up for the whole run: warm, as in production. */
export interface World {
  readonly servers: Servers;
  /** Worker processes of the registry. */
  readonly workers: number;
  /** Servers of their own for registries that are loaded in bulk. */
  largeServers(): Promise<Servers>;
  database(name: string): Promise<BenchDatabase>;
  /** On the large servers, as `fill` leaves it. */
  largeDatabase(
    name: string,
    fill: (database: BenchDatabase) => Promise<void>,
  ): Promise<BenchDatabase>;
  registry(shape: Shape): Promise<Registry>;
  /** Processes of one cell alone, which stops them. */
  start(options: OwnRegistry): Promise<Registry>;
  /** A peer on its own database, or on the one of the registry in that shape. */
  peer(name: string, on: { database: string; shape: Shape }): Promise<RunningProcess>;
  stop(): Promise<void>;
}

export type OwnRegistry = Pick<RegistryOptions, 'shape' | 'database' | 'withApi' | 'environment'> &
  Partial<Pick<RegistryOptions, 'servers' | 'workers' | 'build'>>;

export interface WorldOptions {
  readonly servers: Servers;
  readonly build: Build;
  readonly workers: number;
  readonly tracksPlanning?: boolean;
  readonly profileFolder?: string | undefined;
}

export function registryDatabase(shape: Shape): string {
  return `bench_${shape}`;
}

export function makeWorld(options: WorldOptions): World {
  const { servers, build, workers, tracksPlanning = false, profileFolder } = options;
  const databases = new Map<string, Promise<BenchDatabase>>();
  const registries = new Map<Shape, Promise<Registry>>();
  const peers = new Map<string, Promise<RunningProcess>>();
  const large = new Map<'large', Promise<Servers>>();
  const own = new Set<Registry>();
  const database = (name: string) => once(databases, name, () => servers.makeDatabase(name));
  const largeServers = () =>
    once(large, 'large', () => startServers({ tracksPlanning, isLarge: true }));
  const start = async (asked: OwnRegistry): Promise<Registry> => {
    const registry = await startRegistry({ servers, workers, build, profileFolder, ...asked });
    const stoppable = {
      ...registry,
      stop: async () => {
        own.delete(stoppable);
        await registry.stop();
      },
    };
    own.add(stoppable);
    return stoppable;
  };
  return {
    servers,
    workers,
    largeServers,
    database,
    largeDatabase: (name, fill) =>
      once(databases, name, async () => {
        const made = await (await largeServers()).makeDatabase(name);
        await fill(made);
        return made;
      }),
    start,
    registry: (shape) =>
      once(registries, shape, async () => {
        const registry = await start({ shape, database: await database(registryDatabase(shape)) });
        await untilQuiet(registry.watched);
        return registry;
      }),
    peer: (name, on) =>
      once(peers, `${name} ${on.database} ${on.shape}`, async () => {
        const environment = environmentOf(on.shape, servers, await database(on.database));
        const peer = await startPeer(name, environment);
        await untilQuiet([peer.watched]);
        return peer;
      }),
    stop: async () => {
      await Promise.allSettled(registries.values());
      const started = await Promise.allSettled(peers.values());
      await Promise.all([
        ...[...own].map((registry) => registry.stop()),
        ...started.map(async (one) => {
          if (one.status === 'fulfilled') await one.value.stop();
        }),
      ]);
      for (const one of await Promise.allSettled(large.values())) {
        if (one.status === 'fulfilled') await one.value.stop();
      }
    },
  };
}

/** What cells of one shape share for a whole run: made when one of them asks first. */
export function oncePerShape<Value>(
  make: (world: World, shape: Shape) => Promise<Value>,
): (world: World, shape: Shape) => Promise<Value> {
  const known = new WeakMap<World, Map<Shape, Promise<Value>>>();
  return (world, shape) => {
    const ofWorld = known.get(world) ?? new Map<Shape, Promise<Value>>();
    known.set(world, ofWorld);
    return once(ofWorld, shape, () => make(world, shape));
  };
}

function once<Key, Value>(
  known: Map<Key, Promise<Value>>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
