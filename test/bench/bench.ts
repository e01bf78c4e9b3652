import type { Shape } from '../env/shape.ts';
import type { Measurement } from './report/measurement.ts';
import { type BenchDatabase, type Build, type Registry, startRegistry } from './system/build.ts';
import type { Servers } from './system/servers.ts';

/** What every scenario works with. */
export interface Bench {
  readonly servers: Servers;
  /** Multiplies all times; below 1 for a smoke test. */
  readonly scale: number;
  readonly rounds: number;
  /** The program under test. The SQL limit and the naive peer work on its tables. */
  readonly build: Build;
  /** In an A/B run, those of the build before follow those of the program under test, shape by shape. */
  readonly subjects: readonly Subject[];
  /** Migrated by each build; scenarios work on copies. */
  readonly templates: ReadonlyMap<Build, BenchDatabase>;
  record(measurement: Measurement): void;
}

/** One column of the report: a build in a shape. */
export interface Subject {
  readonly name: string;
  readonly build: Build;
  readonly shape: Shape;
}

/** Measures and records every subject in every round. */
export type Scenario = (bench: Bench) => Promise<void>;

let databases = 0;

/** A fresh copy of the build's database, dropped afterwards. */
export async function withDatabase<Result>(
  { servers, templates }: Bench,
  build: Build,
  use: (database: BenchDatabase) => Promise<Result>,
): Promise<Result> {
  const template = templates.get(build);
  if (template === undefined) throw new Error('a build without a database');
  databases += 1;
  const name = `bench_${databases}`;
  await servers.createDatabase(name, template.name);
  try {
    return await use({ ...template, name, url: servers.databaseUrl(name) });
  } finally {
    await servers.dropDatabase(name);
  }
}

/** New processes on a fresh database, so that nothing that ran before is in the way. */
export async function withRegistry<Result>(
  bench: Bench,
  { build, shape }: Subject,
  use: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  return withDatabase(bench, build, async (database) => {
    const registry = await startRegistry(bench.servers, build, shape, database);
    try {
      return await use(registry);
    } finally {
      await registry.stop();
    }
  });
}
