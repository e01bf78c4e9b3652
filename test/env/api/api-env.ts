import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Handlers } from '../../../api/machine/route.ts';
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
  askToken,
  type RawRequest,
  type SignedRequest,
  send,
  signRequest,
  type TestAnswer,
} from './signed-request.ts';

export interface TestApiOptions {
  readonly handlers: Handlers;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Variables that differ from those of a test. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Other settings of a session than PostgreSQL's own, as defaults of the database and in DATABASE_URL. */
  readonly databaseDefaults?: Readonly<Record<string, string>>;
  /** How long the API waits for a database or a Redis that says nothing. */
  readonly storesMs?: number;
}

export interface TestApi {
  readonly baseUrl: string;
  readonly api: RunningApi;
  readonly config: ServiceConfig;
  readonly database: TestDatabase;
  /** The database as its owner, who may what the service may not. */
  readonly ownerDb: Db;
  /** Undefined in the embedded shape. */
  readonly redis: TestRedis | undefined;
  /** A demonstration client by name. */
  client(name: string): SeededClient;
  /** A token of that client, asked for once. */
  tokenOf(name: string): Promise<string>;
  /** Signs as a demonstration client and sends. */
  send(name: string, request: SignedRequest): Promise<TestAnswer>;
  /** Sends without adding anything. */
  sendRaw(request: RawRequest): Promise<TestAnswer>;
  /** Asks the health server of the API. */
  look(path: string): Promise<TestAnswer>;
  /** Loses all nonces, as when Redis or the table is emptied. */
  loseNonces(): Promise<void>;
  stop(): Promise<void>;
}

/** An API in this process on a free port, on a database and Redis keys of its own, with the demonstration data. */
export async function startTestApi({
  handlers,
  clock = systemClock,
  logger = makeFailureLog(),
  environment = {},
  databaseDefaults = {},
  // A machine that stands still for some seconds is no outage.
  storesMs = TIMEOUT_MS,
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
    // Who asks is in this process, too: a thousand requests at once are sent while a thousand are answered.
    timeouts: { headersMs: TIMEOUT_MS, requestMs: TIMEOUT_MS, storesMs },
  });
  const tokens = new Map<string, Promise<string>>();
  const ownerDb = openDb({
    databaseUrl: database.ownerUrl,
    poolMax: 2,
    applicationName: 'test as owner',
  });

  const client = (name: string): SeededClient => {
    const found = clients.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`no demonstration client is called ${name}`);
    return found;
  };
  const sendRaw = (request: RawRequest) => send(api.url, request);
  const tokenOf = (name: string): Promise<string> => {
    const known = tokens.get(name);
    if (known !== undefined) return known;
    const asked = askToken(sendRaw, client(name));
    tokens.set(name, asked);
    return asked;
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
    look: (path) => send(api.healthUrl ?? '', { target: path }),
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

/** The configuration of a test: every variable at its default but those that keep runs apart. */
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
      // Lets a test come from any address, by X-Forwarded-For.
      TRUSTED_PROXIES: '127.0.0.1',
      DATABASE_POOL_MAX: '8',
      ...(redis === undefined ? {} : { REDIS_URL: redis.url, REDIS_PREFIX: redis.prefix }),
      ...environment,
    }),
  );
}
