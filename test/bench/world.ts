import {
  type Build,
  environmentOf,
  type Registry,
  type RunningProcess,
  type Shape,
  startPeer,
  startRegistry,
} from './processes.ts';
import type { BenchDatabase, Servers } from './servers.ts';

/** What the cells measure, started when the first of them asks and kept up for the whole run: warm, as in production. */
export interface World {
  readonly servers: Servers;
  database(name: string): Promise<BenchDatabase>;
  registry(shape: Shape): Promise<Registry>;
  /** A peer on its own database, or on the one of the registry in that shape. */
  peer(name: string, on: { database: string; shape: Shape }): Promise<RunningProcess>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly servers: Servers;
  readonly build: Build;
  readonly workers: number;
  readonly profileFolder?: string | undefined;
}

export function registryDatabase(shape: Shape): string {
  return `bench_${shape}`;
}

export function makeWorld({ servers, build, workers, profileFolder }: WorldOptions): World {
  const databases = new Map<string, Promise<BenchDatabase>>();
  const registries = new Map<Shape, Promise<Registry>>();
  const peers = new Map<string, Promise<RunningProcess>>();
  const database = (name: string) => once(databases, name, () => servers.makeDatabase(name));
  return {
    servers,
    database,
    registry: (shape) =>
      once(registries, shape, async () =>
        startRegistry({
          shape,
          build,
          servers,
          database: await database(registryDatabase(shape)),
          workers,
          profileFolder,
        }),
      ),
    peer: (name, on) =>
      once(peers, `${name} ${on.database} ${on.shape}`, async () =>
        startPeer(name, environmentOf(on.shape, servers, await database(on.database))),
      ),
    stop: async () => {
      const started = await Promise.allSettled([...registries.values(), ...peers.values()]);
      await Promise.all(
        started.map(async (one) => {
          if (one.status === 'fulfilled') await one.value.stop();
        }),
      );
    },
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
