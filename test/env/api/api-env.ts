import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Handlers } from '../../../api/machine/request.ts';
import { type RunningApi, startApi } from '../../../api/server.ts';
import type { SeededClient } from '../../../ops/seed.ts';
import { type Db, openDb } from '../../../shared/db/prisma.ts';
import { type Clock, systemClock } from '../../../shared/platform/clock.ts';
import {
  readConfig,
  requireServiceConfig,
  type ServiceConfig,
} from '../../../shared/platform/config/config.ts';
import type { Logger } from '../../../shared/platform/logger.ts';
import { makeMetrics } from '../../../shared/platform/metrics.ts';
import { makeFailureLog } from '../failure-log.ts';
import { TIMEOUT_MS } from '../server-timeouts.ts';
import { makeSeededDatabase, type TestDatabase, withDefaults } from '../servers/postgres.ts';
import { makeTestRedis, type TestRedis } from '../servers/redis.ts';
import { currentShape } from '../shape.ts';
import { copyDemonstration } from './demonstration.ts';
import {
  type RawRequest,
  requestToken,
  type SignedRequest,
  send,
  signRequest,
  type TestAnswer,
} from './signed-request.ts';

export interface TestApiOptions {
  readonly handlers: Handlers;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Variables that override those of `testConfig`. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Session settings that become defaults of the database and options of DATABASE_URL. */
  readonly databaseDefaults?: Readonly<Record<string, string>>;
  /** Time limit of the API for a database or a Redis that does not answer. */
  readonly storesMs?: number;
  /** The folder of a built console. */
  readonly consoleFolder?: string;
}

export interface TestApi {
  readonly baseUrl: string;
  readonly api: RunningApi;
  readonly config: ServiceConfig;
  readonly database: TestDatabase;
  /** Connects as the owner of the database, who has privileges that the service lacks. */
  readonly ownerDb: Db;
  /** Undefined in the embedded shape. */
  readonly redis: TestRedis | undefined;
  /** A demonstration client by name. */
  client(name: string): SeededClient;
  /** A token of that client, requested once. */
  tokenOf(name: string): Promise<string>;
  /** Signs a request as a demonstration client and sends it. */
  send(name: string, request: SignedRequest): Promise<TestAnswer>;
  /** Sends a request unchanged. */
  sendRaw(request: RawRequest): Promise<TestAnswer>;
  /** Sends a GET request to the health server of the API. */
  getHealth(path: string): Promise<TestAnswer>;
  /** Deletes all nonces, as when Redis or the table is emptied. */
  loseNonces(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an API in this process on a free port, with its own database and Redis keys and the demonstration data. */
export async function startTestApi({
  handlers,
  clock = systemClock,
  logger = makeFailureLog(),
  environment = {},
  databaseDefaults = {},
  // Long, because a machine that pauses for some seconds is not an outage.
  storesMs = TIMEOUT_MS,
  consoleFolder,
}: TestApiOptions): Promise<TestApi> {
  const dataDir = mkdtempSync(join(tmpdir(), 'registry-api-'));
  const { clients, keys } = copyDemonstration(dataDir);
  const database = await makeSeededDatabase();
  const redis = currentShape() === 'redis' ? await makeTestRedis() : undefined;
  const config = testConfig(database, redis, {
    DATA_DIR: dataDir,
    DATABASE_URL: await withDefaults(database, databaseDefaults),
    ...keys,
    ...environment,
  });
  const api = await startApi({
    config,
    clock,
    logger,
    metrics: makeMetrics(),
    handlers,
    // Long, because the clients run in this process, too: it may send and answer a thousand requests at once.
    timeouts: { headersMs: TIMEOUT_MS, requestMs: TIMEOUT_MS, storesMs },
    ...(consoleFolder === undefined ? {} : { consoleFolder }),
  });
  const tokens = new Map<string, Promise<string>>();
  const ownerDb = openDb({
    databaseUrl: database.ownerUrl,
    poolMax: 2,
    applicationName: 'test as owner',
  });

  const client = (name: string): SeededClient => {
    const found = clients.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`there is no demonstration client ${name}`);
    return found;
  };
  const sendRaw = (request: RawRequest) => send(api.url, request);
  const tokenOf = (name: string): Promise<string> => {
    const known = tokens.get(name);
    if (known !== undefined) return known;
    const requested = requestToken(sendRaw, client(name));
    tokens.set(name, requested);
    return requested;
  };
  return {
    baseUrl: api.url,
    api,
    config,
    database,
    ownerDb,
    redis,
    client,
    tokenOf,
    sendRaw,
    send: async (name, request) => {
      const token = request.token ?? (await tokenOf(name));
      return sendRaw(signRequest(client(name), token, request, clock));
    },
    getHealth: (path) => send(api.healthUrl ?? '', { target: path }),
    loseNonces: async () => {
      if (redis === undefined) await api.context.db.$executeRaw`DELETE FROM nonces`;
      else await redis.empty();
    },
    stop: async () => {
      await api.close();
      await ownerDb.$disconnect();
      await redis?.drop();
      await database.drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** The configuration of a test: the defaults, except for variables that isolate it from other tests. */
export function testConfig(
  database: TestDatabase,
  redis: TestRedis | undefined,
  environment: NodeJS.ProcessEnv,
): ServiceConfig {
  return requireServiceConfig(
    readConfig({
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      PORT: '0',
      HEALTH_PORT: '0',
      // Lets a test choose its address with X-Forwarded-For.
      TRUSTED_PROXIES: '127.0.0.1',
      DATABASE_POOL_MAX: '8',
      ...(redis === undefined ? {} : { REDIS_URL: redis.url, REDIS_PREFIX: redis.prefix }),
      ...environment,
    }),
  );
}
