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
import { type HttpLog, makeLoggedFetch } from './flaws/http-log.ts';
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
/** Of the demonstration, or of an insurer that was added. */
export type ClientName = DemoClientName | `insurer-${string}`;

/** A whole registry: its servers, its processes, and clients of its public API. */
export interface World {
  readonly shape: Shape;
  readonly postgres: PostgresServer;
  /** Of the database; undefined unless it was asked for. */
  readonly disk: SmallDisk | undefined;
  /** Undefined in the embedded shape. */
  readonly redis: RedisUnderFault | undefined;
  readonly databaseUrl: string;
  /** Past every proxy. */
  readonly db: Db;
  readonly http: HttpLog;
  readonly api: RegistryProcess;
  readonly workers: readonly RegistryProcess[];
  /** Without a path; the API believes what this machine says of callers' addresses. */
  readonly baseUrl: string;
  /** Where the health server of the API listens, without a path. */
  readonly healthUrl: string;
  client(name: ClientName): RegistryClient;
  /** Of a demonstration client, for what no client of ours does. */
  credentialsOf(name: string): Credentials;
  /** Whose records are all that there are. */
  readonly registrants: readonly ClientName[];
  /** An insurer more, INS-INSURER-…, unless it is there; its client has the same name. */
  addInsurer(name: Exclude<ClientName, DemoClientName>): Promise<void>;
  /** In the place of the API that was. */
  startApi(options?: StartOptions): Promise<RegistryProcess>;
  /** Beside the API that is, on a port of its own, until the world stops. */
  startApiBeside(): Promise<{ readonly baseUrl: string }>;
  /** Beside the workers that are. */
  startWorker(options?: StartOptions): Promise<RegistryProcess>;
  /**
   * The first process of this role that comes to the point, stopped there; those that start later are watched as well.
   * @throws {Error} when none does within HOLD_MS_MAX, or before the signal
   */
  stopAt(role: Role, point: Point, signal?: AbortSignal): Promise<Stopped>;
  /** One API and `WORKERS` workers run, ready. */
  restore(): Promise<void>;
  /** Every job is lost: Redis is emptied of them, or the queue's tables. */
  loseQueue(): Promise<void>;
  /** The last lines that the processes wrote. */
  readOutput(): string;
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly build: Build;
  /** The database lives on a disk of its own of this size. */
  readonly diskMegabytes?: number | undefined;
}

export interface StartOptions {
  /** Neither PostgreSQL nor Redis can be reached until the proxies are put up. */
  readonly serversDown?: boolean;
  /** Its clock is wrong by so much. */
  readonly skewSeconds?: number;
  /** Jobs that a worker handles at a time; the registry's own default unless given. */
  readonly concurrency?: number;
  readonly changed?: ProcessSpec['changed'];
  readonly environment?: NodeJS.ProcessEnv;
}

export type Credentials = Pick<
  RegistryClientOptions,
  'clientId' | 'clientSecret' | 'signingSecret'
>;

export const WORKERS = 2;
/** How long a worker may hold a transmission here: what a killed one held is free again so soon. */
export const LEASE_SECONDS = 2;
/** Four times the default: a machine that others use, too, may be as slow, and what hangs doesn't end then either. */
const GRACE_SECONDS = 60;
const OUTPUT_CHARACTERS = 20_000;

type Undo = (() => Promise<void> | void)[];

/** Leaves nothing behind when it does not come to its end. */
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
    // A run that is killed leaves no process behind.
    SUPERVISED: '1',
    // No load balancer has to turn away first.
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
  const { log, fetch } = makeLoggedFetch();
  const baseUrl = `http://127.0.0.1:${port}`;
  const clients = new Map<string, RegistryClient>();
  const registrants: ClientName[] = [...CLIENTS];
  const addClient = (name: string, credentials: Credentials): void => {
    const { clientId, clientSecret, signingSecret } = credentials;
    // Every attempt is its own: the load repeats and the log counts.
    const options = { baseUrl, clientId, clientSecret, signingSecret, retries: 0, fetch };
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
  const beside: RegistryProcess[] = [];
  const living = () => workers.filter(({ isRunning }) => isRunning);
  undo.push(async () => {
    const started = [...(api === undefined ? [] : [api]), ...beside, ...workers];
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
      if (found === undefined) throw new Error(`no demonstration client is called ${name}`);
      return found;
    },
    client: (name) => {
      const client = clients.get(name);
      if (client === undefined) throw new Error(`no client is called ${name}`);
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
    startApiBeside: async () => {
      const own = await findFreePort();
      const other = await begin('api', { environment: { PORT: String(own) } });
      beside.push(other);
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
