import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Handlers } from '../../../api/machine/route.ts';
import { type RunningApi, startApi } from '../../../api/server.ts';
import type { SeededClient } from '../../../ops/seed.ts';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import type { Envelope } from '../../../shared/contract/machine/envelope.ts';
import { SIGNATURE_HEADERS, sign } from '../../../shared/contract/machine/signing.ts';
import type { TokenResponse } from '../../../shared/contract/machine/token.ts';
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

export interface SignedRequest {
  readonly method?: string;
  /** Below API_BASE, with the query. */
  readonly path: string;
  /** Sent as JSON when it is an object, as it is when it is text or bytes. */
  readonly body?: object | string | Buffer;
  /** Replace what would be sent; undefined leaves the header out. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly timestamp?: number;
  readonly nonce?: string;
  /** Signed instead of what is sent. */
  readonly signed?: { readonly target?: string; readonly body?: Buffer; readonly secret?: string };
  readonly token?: string;
  /** Aborting it is a caller who leaves. */
  readonly signal?: AbortSignal;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly envelope: Envelope<Record<string, unknown>>;
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

export interface RawRequest {
  readonly method?: string;
  /** The whole target. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
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

export function newNonce(): string {
  return randomUUID();
}

/** An address of its own for each use, so that tests don't share the limit of one. */
export function anyAddress(): string {
  return `198.51.${randomInt(256)}.${randomInt(1, 255)}`;
}

function signRequest(
  { clientId, signingSecret }: SeededClient,
  token: string,
  request: SignedRequest,
  clock: Clock,
): RawRequest {
  const { path, headers = {}, signed = {} } = request;
  const body = bytesOf(request.body);
  const method = request.method ?? (request.body === undefined ? 'GET' : 'POST');
  const target = `${API_BASE}${path}`;
  const timestamp = String(request.timestamp ?? Math.floor(clock.now().getTime() / 1_000));
  const nonce = request.nonce ?? newNonce();
  const signature = sign(signed.secret ?? signingSecret, {
    method,
    target: signed.target ?? target,
    timestamp,
    nonce,
    body: signed.body ?? body,
  });
  return {
    method,
    target,
    headers: {
      authorization: `Bearer ${token}`,
      [SIGNATURE_HEADERS.clientId]: clientId,
      [SIGNATURE_HEADERS.timestamp]: timestamp,
      [SIGNATURE_HEADERS.nonce]: nonce,
      [SIGNATURE_HEADERS.signature]: signature,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(request.body === undefined ? {} : { body }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
}

function bytesOf(body: SignedRequest['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
}

/** On the allowlist of the demonstration client alpha-allowlisted. */
const ALLOWLISTED_ADDRESS = '203.0.113.250';

async function askToken(
  sendRaw: (request: RawRequest) => Promise<TestAnswer>,
  { name, clientId, clientSecret }: SeededClient,
): Promise<string> {
  const { status, envelope, text } = await sendRaw({
    method: 'POST',
    target: `${API_BASE}/oauth/token`,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': name === 'alpha-allowlisted' ? ALLOWLISTED_ADDRESS : anyAddress(),
    },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  if (status !== 200) throw new Error(`no token: ${text}`);
  return (envelope.data as TokenResponse | null)?.access_token ?? '';
}

/** Node's own client: it sends target and headers as they are, and a connection of its own leaves nothing open. */
function send(
  url: string,
  { method = 'GET', target, headers = {}, body, signal }: RawRequest,
): Promise<TestAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const given = Object.entries(headers).filter(
      (entry): entry is [string, string | string[]] => entry[1] !== undefined,
    );
    const request = httpRequest({
      hostname,
      port,
      method,
      path: target,
      agent: false,
      ...(signal === undefined ? {} : { signal }),
      headers: {
        ...Object.fromEntries(given),
        ...(body === undefined || 'transfer-encoding' in headers
          ? {}
          : { 'content-length': Buffer.byteLength(body) }),
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string | undefined>,
          text,
          envelope: text.startsWith('{') ? JSON.parse(text) : undefined,
        });
      });
    });
    request.end(body);
  });
}
