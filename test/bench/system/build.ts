import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { withClient } from '../../../shared/db/with-client.ts';
import type { Shape } from '../../env/shape.ts';
import { makeTenants, type Tenant } from '../load/tenants.ts';
import { launch, type Running } from './launch.ts';
import type { Servers } from './servers.ts';
import type { Watched } from './usage.ts';

/** A compiled program in a folder: `<folder>/api/main.js`, `<folder>/worker/main.js`, `<folder>/ops/migrate.js`. */
export interface Build {
  /** Ends the names of its subjects: empty for the program under test. */
  readonly name: '' | 'before';
  readonly folder: string;
  /** Options of `node` for a worker. */
  readonly workerOptions: readonly string[];
}

/** Throws when nothing was built into the folder. */
export function findBuild(build: Build): Build {
  const folder = resolve(build.folder);
  if (!existsSync(join(folder, 'api', 'main.js')))
    throw new Error(`${folder} has no api/main.js: name a folder that "npm run build" filled`);
  return { ...build, folder };
}

/** A database that the build has migrated, with tenants that may register certificates. */
export interface BenchDatabase {
  readonly name: string;
  readonly url: string;
  readonly tenants: readonly Tenant[];
}

export const TENANTS = 40;

const KEYS = {
  ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
  CLIENT_SECRET_PEPPER: randomBytes(32).toString('base64'),
};

/** Migrates with the build's own migrations, which stand beside its package.json. */
export async function makeDatabase(
  servers: Servers,
  build: Build,
  name: string,
): Promise<BenchDatabase> {
  await servers.createDatabase(name);
  const url = servers.databaseUrl(name);
  const environment = { PATH: process.env['PATH'], DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [join(build.folder, 'ops', 'migrate.js')], {
    env: environment,
  });
  return { name, url, tenants: await makeTenants(url, KEYS, TENANTS) };
}

export function tenantOf({ tenants }: BenchDatabase, index: number): Tenant {
  const tenant = tenants[index];
  if (tenant === undefined) throw new Error(`the database has no tenant ${index}`);
  return tenant;
}

/** Certificates in a database. */
export async function countRegistered(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, 'bench', async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM certificates',
    );
    return rows[0]?.count ?? 0;
  });
}

/** One API process and one worker, and the database that they use. */
export interface Registry {
  readonly database: BenchDatabase;
  readonly url: string;
  /** With the servers. */
  readonly watched: readonly Watched[];
  stop(): Promise<void>;
}

export async function startRegistry(
  servers: Servers,
  build: Build,
  shape: Shape,
  database: BenchDatabase,
): Promise<Registry> {
  const environment = {
    ...KEYS,
    DATABASE_URL: database.url,
    PORT: '0',
    // Each client has an address of its own: token requests are limited by address.
    TRUSTED_PROXIES: '127.0.0.1',
    ...(shape === 'redis' ? { REDIS_URL: servers.redisUrl, REDIS_PREFIX: database.name } : {}),
  };
  const { folder, workerOptions: nodeOptions } = build;
  const started: Running[] = [];
  const stop = async () => void (await Promise.all(started.map((one) => one.stop())));
  try {
    const api = await launch({ role: 'api', path: join(folder, 'api', 'main.js'), environment });
    started.push(api);
    const path = join(folder, 'worker', 'main.js');
    started.push(await launch({ role: 'worker', path, nodeOptions, environment }));
    const watched = [...servers.watched, ...started.map((one) => one.watched)];
    return { database, url: api.url, watched, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
