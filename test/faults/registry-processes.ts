import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRegistryClient, type RegistryClient } from '../../client/registry-client.ts';
import { seedDemonstration } from '../../ops/seed.ts';
import { demandServiceConfig, readConfig } from '../../shared/platform/config.ts';
import { makeLogger } from '../../shared/platform/logger.ts';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import { ReadyMessage } from '../../shared/platform/supervised.ts';
import { type Db, openDb } from '../../shared/store/db.ts';
import { makeTestDatabase } from '../env/postgres.ts';
import { emptyQueue, withRedis } from '../env/queue-faults.ts';
import { type RedisServer, startRedisServer } from '../env/redis.ts';
import { currentShape } from '../env/shape.ts';

/** A registry of real processes on a database and, in its shape, a Redis of its own. */
export interface RegistryProcesses {
  readonly db: Db;
  /** A demonstration client of the API; it repeats what found nobody. */
  client(name: string): RegistryClient;
  startApi(): Promise<void>;
  startWorkers(count: number): Promise<void>;
  /** Kills with -9, all at once, and waits until they are gone. */
  killApi(): Promise<void>;
  killWorkers(): Promise<void>;
  /** Empties Redis altogether; without one, the queue's tables. */
  loseQueue(): Promise<void>;
  /** Kills Redis with -9 and starts an empty one in its place; without one, cuts every connection to the database. */
  cutConnections(): Promise<void>;
  stop(): Promise<void>;
}

/** How long a worker may hold a transmission here: what a killed one held is free again so soon. */
const LEASE_SECONDS = 2;

export async function startRegistryProcesses(): Promise<RegistryProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-faults-'));
  chmodSync(folder, 0o755);
  const database = await makeTestDatabase();
  let redis: RedisServer | undefined =
    currentShape() === 'redis' ? await startRedisServer(folder) : undefined;
  const redisUrl = redis?.url;
  const port = await findFreePort();
  const environment = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    DATA_DIR: folder,
    PORT: String(port),
    LOG_LEVEL: 'fatal',
    LEASE_SECONDS: String(LEASE_SECONDS),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    CLIENT_SECRET_PEPPER: randomBytes(32).toString('base64'),
  };
  const config = demandServiceConfig(readConfig(environment));
  const logger = makeLogger({ level: 'silent', name: 'test' });
  const { clients } = await seedDemonstration({ databaseUrl: database.url, config, logger });
  const db = openDb({ databaseUrl: database.url, poolMax: 2, applicationName: 'test' });
  let apis: ChildProcess[] = [];
  let workers: ChildProcess[] = [];
  const killApi = async () => {
    await killAll(apis);
    apis = [];
  };
  const killWorkers = async () => {
    await killAll(workers);
    workers = [];
  };
  return {
    db,
    client: (name) => {
      const found = clients.find((one) => one.name === name);
      if (found === undefined) throw new Error(`no demonstration client is called ${name}`);
      const { clientId, clientSecret, signingSecret } = found;
      const baseUrl = `http://127.0.0.1:${port}`;
      return makeRegistryClient({ baseUrl, clientId, clientSecret, signingSecret });
    },
    startApi: async () => {
      apis.push(await startProcess('api/main.ts', environment));
    },
    startWorkers: async (count) => {
      const starting = Array.from({ length: count }, () =>
        startProcess('worker/main.ts', environment),
      );
      workers.push(...(await Promise.all(starting)));
    },
    killApi,
    killWorkers,
    loseQueue: () =>
      redisUrl === undefined
        ? emptyQueue({ db, redisUrl, redisPrefix: config.redisPrefix })
        : withRedis(redisUrl, async (connection) => void (await connection.flushall())),
    cutConnections: async () => {
      if (redis === undefined) {
        await db.$queryRaw`
          SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'test'`;
        return;
      }
      await redis.stop();
      redis = await startRedisServer(folder, Number(new URL(redis.url).port));
    },
    stop: async () => {
      await killApi();
      await killWorkers();
      await db.$disconnect();
      await redis?.stop();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Resolves when the process says that it serves. */
function startProcess(file: string, environment: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    cwd: findProjectRoot(),
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (ReadyMessage.safeParse(message).success) resolve(child);
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`${file} ended before it was ready`)));
  });
}

async function killAll(children: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    children.map(
      (child) =>
        new Promise<void>((done) => {
          child.on('close', () => done());
          child.kill('SIGKILL');
        }),
    ),
  );
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
