import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  ensureDatabase,
  startEmbeddedPostgres,
} from '../../../ops/embedded-postgres/server.ts';
import { prepareDatabase } from '../../../ops/launch/prepare-database.ts';
import { makeLogger } from '../../../shared/platform/logger.ts';
import { withRedis } from '../../env/servers/queue-faults.ts';
import { type RedisServer, startRedisServer } from '../../env/servers/redis.ts';
import { follow, swapRoles } from '../../env/servers/redis-pair.ts';

/** A durable PostgreSQL server that can be killed and restarted. */
export interface PostgresServer {
  readonly port: number;
  /** Creates a database with every migration. */
  makeDatabase(name: string): Promise<{ readonly ownerUrl: string; readonly databaseUrl: string }>;
  /** Ends the whole server without a checkpoint, by SIGQUIT (immediate shutdown) or SIGKILL. It stays down. */
  crash(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const ENDED_MS_MAX = 10_000;

export async function startPostgresServer(folder: string): Promise<PostgresServer> {
  const start = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      dataDir: folder,
      logger: makeLogger({ level: 'error', name: 'faults' }),
    });
  let postgres = await start();
  return {
    get port() {
      return Number(new URL(postgres.adminUrl).port);
    },
    makeDatabase: async (name) => {
      await ensureDatabase(postgres.adminUrl, name);
      const urls = { ownerUrl: postgres.ownerUrl(name), databaseUrl: postgres.databaseUrl(name) };
      await prepareDatabase(urls);
      return urls;
    },
    crash: async (signal) => {
      const cluster = realpathSync(join(folder, 'postgres'));
      const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(pid, signal);
      await untilGone(pid);
    },
    start: async () => {
      postgres = await start();
    },
    stop: () => postgres.stop(),
  };
}

async function untilGone(pid: number): Promise<void> {
  const endsAt = Date.now() + ENDED_MS_MAX;
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    if (Date.now() > endsAt) throw new Error('the database server does not end');
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** A Redis server for fault injection. */
export interface RedisUnderFault {
  readonly port: number;
  readonly url: string;
  flush(): Promise<void>;
  /** Kills the server and starts an empty one on the same port. */
  restart(): Promise<void>;
  killClients(): Promise<void>;
  /** Another server becomes the primary and this one its replica. Open connections stay; new ones lead to the new primary. */
  failOver(): Promise<void>;
  /** While on, no key can be written. */
  setFull(isOn: boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedis(folder: string): Promise<RedisUnderFault> {
  let server: RedisServer = await startRedisServer(folder);
  const replaced: RedisServer[] = [];
  const portNow = () => Number(new URL(server.url).port);
  return {
    get port() {
      return portNow();
    },
    get url() {
      return server.url;
    },
    flush: () => withRedis(server.url, async (redis) => void (await redis.flushall())),
    restart: async () => {
      const port = portNow();
      await server.stop();
      server = await startRedisServer(folder, port);
    },
    failOver: async () => {
      const next = await startRedisServer(join(folder, `redis-${replaced.length}`));
      await follow(next, server);
      await swapRoles(server, next);
      replaced.push(server);
      server = next;
    },
    killClients: () =>
      withRedis(server.url, async (redis) => {
        for (const type of ['normal', 'pubsub']) await redis.call('CLIENT', 'KILL', 'TYPE', type);
      }),
    setFull: (isOn) =>
      withRedis(
        server.url,
        async (redis) => void (await redis.config('SET', 'maxmemory', isOn ? 1 : 0)),
      ),
    stop: async () => {
      await Promise.all([server, ...replaced].map((one) => one.stop()));
    },
  };
}
