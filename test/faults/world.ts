import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  makeRegistryClient,
  type RegistryClient,
  type RegistryClientOptions,
} from '../../client/registry-client.ts';
import { findFreePort } from '../../ops/embedded-postgres/free-port.ts';
import { seedDemonstration } from '../../ops/seed.ts';
import { type Db, openDb } from '../../shared/db/prisma.ts';
import { readConfig, requireServiceConfig } from '../../shared/platform/config/config.ts';
import { makeLogger } from '../../shared/platform/logger.ts';
import { makeKeyring } from '../../shared/platform/secrets/sealing.ts';
import { makeRunFolder, removeRunFolder } from '../env/run-folder.ts';
import { emptyQueue } from '../env/servers/queue-faults.ts';
import type { Shape } from '../env/shape.ts';
import type { Build } from './build.ts';
import { type HttpLog, makeHttpLog } from './checks/http-log.ts';
import { addInsurer } from './insurers.ts';
import { launch, type ProcessSpec, type RegistryProcess, type Role } from './servers/processes.ts';
import {
  type PostgresServer,
  type RedisUnderFault,
  startPostgresServer,
  startRedis,
} from './servers/servers.ts';
import { mountSmallDisk, type SmallDisk } from './servers/small-disk.ts';
import { type Stopped, stopFirst, type Watcher } from './servers/stop-first.ts';
import type { Point } from './wire/watched-proxy.ts';

export const CLIENTS = ['alpha', 'bravo', 'charlie', 'mgt-one'] as const;
export type DemoClientName = (typeof CLIENTS)[number];
/** The name of a demonstration client, or of the client of an added insurer. */
export type ClientName = DemoClientName | `insurer-${string}`;

/** A whole registry: its servers, processes, and clients of its public API. */
export interface World {
  readonly shape: Shape;
  readonly build: Build;
  readonly postgres: PostgresServer;
  /** The database's own disk; undefined unless `diskMegabytes` is set. */
  readonly disk: SmallDisk | undefined;
  /** Undefined in the embedded shape. */
  readonly redis: RedisUnderFault | undefined;
  readonly databaseUrl: string;
  /** Connects without a proxy. */
  readonly db: Db;
  readonly http: HttpLog;
  readonly api: RegistryProcess;
  readonly workers: readonly RegistryProcess[];
  /** Without a path. The API trusts X-Forwarded-For from this machine. */
  readonly baseUrl: string;
  /** The address of the API's health server, without a path. */
  readonly healthUrl: string;
  client(name: ClientName): RegistryClient;
  /** The credentials of a demonstration client, for requests that the registry's client cannot make. */
  credentialsOf(name: string): Credentials;
  /** Together their clients can see all records. */
  readonly registrants: readonly ClientName[];
  /** Adds an insurer, INS-INSURER-…, unless it exists. Its client has the same name. */
  addInsurer(name: Exclude<ClientName, DemoClientName>): Promise<void>;
  /** Starts an API in place of the previous one. */
  startApi(options?: StartOptions): Promise<RegistryProcess>;
  /** Starts another API on its own port, which runs until the world stops. */
  startAnotherApi(): Promise<{ readonly baseUrl: string }>;
  /** Starts another worker. */
  startWorker(options?: StartOptions): Promise<RegistryProcess>;
  /**
   * Stops the first process of this role that reaches the point. Processes that start later are also watched.
   * @throws {Error} when none reaches it within HOLD_MS_MAX, or before the signal
   */
  stopAt(role: Role, point: Point, signal?: AbortSignal): Promise<Stopped>;
  /** Starts missing processes, so that one API and `WORKERS` workers are ready. */
  restore(): Promise<void>;
  /** Deletes every job from Redis or from the queue's tables. */
  loseQueue(): Promise<void>;
  /** The last output of the processes. */
  readOutput(): string;
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly build: Build;
  /** Puts the database on its own disk of this size. */
  readonly diskMegabytes?: number | undefined;
}

export interface StartOptions {
  /** PostgreSQL and Redis cannot be reached until the proxies are up. */
  readonly serversDown?: boolean;
  /** The deviation of its clock. */
  readonly skewSeconds?: number;
  /** Number of jobs that a worker handles at a time. Default: 4. */
  readonly concurrency?: number;
  readonly changed?: ProcessSpec['changed'];
  readonly environment?: NodeJS.ProcessEnv;
}

export type Credentials = Pick<
  RegistryClientOptions,
  'clientId' | 'clientSecret' | 'signingSecret'
>;

export const WORKERS = 2;
/** Short, so that the transmissions of a killed worker are soon claimed by another one. */
export const LEASE_SECONDS = 2;
/** Four times the default, for a slow machine. A process that hangs exceeds this limit, too. */
const GRACE_SECONDS = 60;
const OUTPUT_CHARACTERS = 20_000;

type Undo = (() => Promise<void> | void)[];

/** Cleans up when the start fails. */
export async function startWorld(shape: Shape, options: WorldOptions): Promise<World> {
  const folder = makeRunFolder();
  const undo: Undo = [() => removeRunFolder(folder)];
  try {
    return await openWorld(shape, options, folder, undo);
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
}

async function undoAll(undo: Undo): Promise<void> {
  for (const step of undo.toReversed()) await step();
}

async function openWorld(
  shape: Shape,
  { build, diskMegabytes }: WorldOptions,
  folder: string,
  undo: Undo,
): Promise<World> {
  const disk = diskMegabytes === undefined ? undefined : mountSmallDisk(diskMegabytes);
  if (disk !== undefined) undo.push(() => disk.unmount());
  const postgres = await startPostgresServer(disk?.folder ?? folder);
  undo.push(() => postgres.stop());
  const redis = shape === 'redis' ? await startRedis(folder) : undefined;
  if (redis !== undefined) undo.push(() => redis.stop());
  const { ownerUrl, databaseUrl } = await postgres.makeDatabase('faults');
  const port = await findFreePort();
  const healthPort = await findFreePort();
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    TRUSTED_PROXIES: '127.0.0.1',
    // The processes end when this run is killed.
    SUPERVISED: '1',
    // There is no load balancer to wait for.
    DRAIN_SECONDS: '0',
    LEASE_SECONDS: String(LEASE_SECONDS),
    SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    CLIENT_SECRET_PEPPER: randomBytes(32).toString('base64'),
  };
  const config = requireServiceConfig(readConfig(environment));
  const { clients: seeded } = await seedDemonstration({
    databaseUrl,
    config,
    logger: makeLogger({ level: 'silent', name: 'faults' }),
  });
  const db = openDb({ databaseUrl: ownerUrl, poolMax: 3, applicationName: 'faults' });
  undo.push(() => db.$disconnect());
  const { log, onAttempt } = makeHttpLog();
  const baseUrl = `http://127.0.0.1:${port}`;
  const clients = new Map<string, RegistryClient>();
  const registrants: ClientName[] = [...CLIENTS];
  const addClient = (name: string, credentials: Credentials): void => {
    const { clientId, clientSecret, signingSecret } = credentials;
    // No retries in the client: the load repeats requests and the log counts them.
    const options = { baseUrl, clientId, clientSecret, signingSecret, retries: 0, onAttempt };
    clients.set(name, makeRegistryClient(options));
  };
  for (const one of seeded) addClient(one.name, one);
  const outputPath = join(folder, 'output.log');
  const outputFd = openSync(outputPath, 'a');
  undo.push(() => closeSync(outputFd));
  const watchers = new Set<Watcher>();
  const begin = async (role: Role, options: StartOptions): Promise<RegistryProcess> => {
    const { serversDown = false, skewSeconds, concurrency = 4, changed } = options;
    const started = await launch({
      role,
      file: build.fileOf(`${role}/main`),
      environment: {
        ...environment,
        WORKER_CONCURRENCY: String(concurrency),
        ...options.environment,
      },
      skewSeconds,
      databaseUrl,
      databasePort: () => postgres.port,
      redisPort: redis === undefined ? undefined : () => redis.port,
      outputFd,
      serversDown,
      changed,
    });
    for (const watch of watchers) watch(started);
    return started;
  };
  let api: RegistryProcess | undefined;
  let workers: RegistryProcess[] = [];
  const otherApis: RegistryProcess[] = [];
  const living = () => workers.filter(({ isRunning }) => isRunning);
  undo.push(async () => {
    const started = [...(api === undefined ? [] : [api]), ...otherApis, ...workers];
    await Promise.all(started.map((one) => one.kill()));
  });
  const startApi = async (options: StartOptions = {}): Promise<RegistryProcess> => {
    const started = await begin('api', {
      ...options,
      environment: { HEALTH_PORT: String(healthPort), ...options.environment },
    });
    api = started;
    if (options.serversDown !== true) await started.ready;
    return started;
  };
  const startWorker = async (options: StartOptions = {}): Promise<RegistryProcess> => {
    const worker = await begin('worker', options);
    workers = [...living(), worker];
    if (options.serversDown !== true) await worker.ready;
    return worker;
  };
  const world: World = {
    shape,
    build,
    postgres,
    disk,
    redis,
    databaseUrl: ownerUrl,
    db,
    http: log,
    get api() {
      if (api === undefined) throw new Error('no API was started');
      return api;
    },
    get workers() {
      return living();
    },
    baseUrl,
    healthUrl: `http://127.0.0.1:${healthPort}`,
    credentialsOf: (name) => {
      const found = seeded.find((one) => one.name === name);
      if (found === undefined) throw new Error(`there is no demonstration client ${name}`);
      return found;
    },
    client: (name) => {
      const client = clients.get(name);
      if (client === undefined) throw new Error(`there is no client ${name}`);
      return client;
    },
    registrants,
    addInsurer: async (name) => {
      if (clients.has(name)) return;
      registrants.push(name);
      const keyring = makeKeyring(config.encryptionKeys);
      addClient(
        name,
        await addInsurer(db, { keyring, pepper: config.clientSecretPepper[0] }, name),
      );
    },
    startApi,
    startAnotherApi: async () => {
      const own = await findFreePort();
      const other = await begin('api', { environment: { PORT: String(own) } });
      otherApis.push(other);
      await other.ready;
      return { baseUrl: `http://127.0.0.1:${own}` };
    },
    startWorker,
    stopAt: (role, point, signal) => {
      const present = [...(api?.isRunning === true ? [api] : []), ...living()];
      return stopFirst(watchers, present, role, point, signal);
    },
    restore: async () => {
      const missing = Math.max(WORKERS - living().length, 0);
      await Promise.all([
        ...(api?.isRunning === true ? [] : [startApi()]),
        ...Array.from({ length: missing }, () => startWorker()),
      ]);
    },
    loseQueue: () => emptyQueue({ db, redisUrl: redis?.url, redisPrefix: config.redisPrefix }),
    readOutput: () => readFileSync(outputPath, 'utf8').slice(-OUTPUT_CHARACTERS),
    stop: () => undoAll(undo),
  };
  try {
    await world.restore();
  } catch (error) {
    throw new Error(`the registry does not start: ${world.readOutput()}`, { cause: error });
  }
  return world;
}
