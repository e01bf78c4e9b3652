import { Redis } from 'ioredis';
import { startEmbeddedPostgres } from '../../../ops/embedded-postgres/server.ts';
import { withClient } from '../../../shared/db/with-client.ts';
import { makeLogger } from '../../../shared/platform/logger.ts';
import { makeRunFolder, removeRunFolder } from '../../env/run-folder.ts';
import { startRedisServer } from '../../env/servers/redis.ts';
import type { Watched } from './usage.ts';

/** One PostgreSQL and one Redis, on loopback, in a temporary folder. */
export interface Servers {
  readonly redisUrl: string;
  readonly watched: readonly Watched[];
  /** As the owner, who may also look at the server. */
  databaseUrl(name: string): string;
  /** A copy of the template database, or an empty database. */
  createDatabase(name: string, template?: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

const running = new Set<Servers>();

/** Stops what is still running, for a run that is interrupted. */
export async function stopServers(): Promise<void> {
  await Promise.all([...running].map((servers) => servers.stop()));
}

/** With the settings of the embedded shape, which are durable, unless `settings` says otherwise. */
export async function startServers(
  settings: Readonly<Record<string, string>> = {},
): Promise<Servers> {
  const folder = makeRunFolder();
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    logger: makeLogger({ level: 'warn', name: 'bench' }),
    settings,
  });
  const redis = await startRedisServer(folder);
  const run = (statement: string) =>
    withClient(postgres.adminUrl, 'bench', (client) => client.query(statement));
  const servers: Servers = {
    redisUrl: redis.url,
    watched: [
      { role: 'postgres', pid: await postmasterOf(postgres.adminUrl), children: 'all' },
      { role: 'redis', pid: await redisPid(redis.url), children: 'none' },
      { role: 'load', pid: process.pid, children: 'ended' },
    ],
    databaseUrl: postgres.ownerUrl,
    createDatabase: async (name, template) => {
      await run(`CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`);
    },
    dropDatabase: async (name) => {
      await run(`DROP DATABASE ${name} WITH (FORCE)`);
    },
    stop: async () => {
      running.delete(servers);
      await redis.stop();
      await postgres.stop();
      removeRunFolder(folder);
    },
  };
  running.add(servers);
  return servers;
}

async function postmasterOf(adminUrl: string): Promise<number> {
  return withClient(adminUrl, 'bench', async (client) => {
    const { rows } = await client.query<{ pid: string }>(
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`,
    );
    return Number(rows[0]?.pid);
  });
}

async function redisPid(url: string): Promise<number> {
  const redis = new Redis(url);
  try {
    return Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
  } finally {
    redis.disconnect();
  }
}
