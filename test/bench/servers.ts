import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { ensureDatabase, startEmbeddedPostgres } from '../../ops/embedded-postgres/server.ts';
import { prepareDatabase } from '../../ops/launch/prepare-database.ts';
import { type SeededClient, seedDemonstration } from '../../ops/seed.ts';
import {
  readConfig,
  requireServiceConfig,
  type ServiceConfig,
} from '../../shared/platform/config/config.ts';
import { makeLogger } from '../../shared/platform/logger.ts';
import { makeRunFolder, removeRunFolder } from '../env/run-folder.ts';
import { startRedisServer } from '../env/servers/redis.ts';
import { parentOf, type Watched } from './measure/processes.ts';

/** The settings of the embedded shape, durable, with statements counted. */
const SETTINGS = {
  shared_preload_libraries: "'pg_stat_statements'",
  'pg_stat_statements.max': '1000',
};

export interface BenchDatabase {
  readonly name: string;
  readonly url: string;
  /** The environment of a process of the registry on this database, without REDIS_URL. */
  readonly environment: NodeJS.ProcessEnv;
  readonly config: ServiceConfig;
  /** The insurer that all cells use. */
  readonly client: SeededClient;
  /** Every demonstration client. */
  readonly clients: readonly SeededClient[];
}

export interface Servers {
  readonly admin: Client;
  readonly adminUrl: string;
  readonly redisUrl: string;
  readonly watched: readonly Watched[];
  readonly versions: { readonly postgres: string; readonly redis: string };
  /** A migrated database with the demonstration data. */
  makeDatabase(name: string): Promise<BenchDatabase>;
  stop(): Promise<void>;
}

/**
 * Writes rows of a bulk load once instead of twice; nothing else differs, but that the pages of a registry at rest are
 * left at rest.
 */
const LARGE_SETTINGS = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  autovacuum: 'off',
};

/**
 * One PostgreSQL and one Redis, in a temporary folder. `tracksPlanning` costs time; `isLarge` is for registries that are
 * loaded in bulk.
 */
export async function startServers({
  tracksPlanning,
  isLarge = false,
}: {
  tracksPlanning: boolean;
  isLarge?: boolean;
}): Promise<Servers> {
  const folder = makeRunFolder();
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    logger: makeLogger({ level: 'warn', name: 'bench' }),
    settings: {
      ...SETTINGS,
      ...(isLarge ? LARGE_SETTINGS : {}),
      'pg_stat_statements.track_planning': tracksPlanning ? 'on' : 'off',
    },
  });
  const redisServer = await startRedisServer(folder);
  const redis = new Redis(redisServer.url);
  const admin = new Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query('CREATE EXTENSION pg_stat_statements');
  const redisInfo = await redis.info('server');
  return {
    admin,
    adminUrl: postgres.adminUrl,
    redisUrl: redisServer.url,
    versions: {
      postgres: await readVersion(admin),
      redis: /redis_version:(\S+)/.exec(redisInfo)?.[1] ?? 'unknown',
    },
    watched: [
      { role: 'postgres', pid: await postmasterOf(admin), withChildren: true },
      {
        role: 'redis',
        pid: Number(/process_id:(\d+)/.exec(redisInfo)?.[1] ?? 0),
        withChildren: false,
      },
      { role: 'bench', pid: process.pid, withChildren: false },
    ],
    makeDatabase: async (name) => {
      await ensureDatabase(postgres.adminUrl, name);
      // One role for the load, which looks at the server, and for the registry.
      const url = postgres.ownerUrl(name);
      await prepareDatabase({ ownerUrl: url, databaseUrl: url });
      return seed(name, url, join(folder, name));
    },
    stop: async () => {
      redis.disconnect();
      await admin.end();
      await redisServer.stop();
      await postgres.stop();
      removeRunFolder(folder);
    },
  };
}

async function seed(name: string, url: string, dataDir: string): Promise<BenchDatabase> {
  mkdirSync(dataDir, { recursive: true });
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    PORT: '0',
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    CLIENT_SECRET_PEPPER: randomBytes(32).toString('base64'),
  };
  const config = requireServiceConfig(readConfig(environment));
  const { clients } = await seedDemonstration({
    databaseUrl: url,
    config,
    logger: makeLogger({ level: 'warn', name: 'bench' }),
  });
  const client = clients.find((candidate) => candidate.name === 'alpha');
  if (client === undefined) throw new Error('the demonstration client alpha is missing');
  return { name, url, environment, config, client, clients };
}

async function readVersion(admin: Client): Promise<string> {
  const { rows } = await admin.query<{ server_version: string }>('SHOW server_version');
  return rows[0]?.server_version ?? 'unknown';
}

async function postmasterOf(admin: Client): Promise<number> {
  const { rows } = await admin.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return parentOf(rows[0]?.pid ?? 0) ?? 0;
}
