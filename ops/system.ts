import { resolve } from 'node:path';
import { waitForDatabase, waitForDatabases } from '../shared/db/wait-for-database.ts';
import { withClient } from '../shared/db/with-client.ts';
import {
  type Config,
  readConfig,
  requireServiceConfig,
  type ServiceConfig,
} from '../shared/platform/config/config.ts';
import { WORKER_NODE_OPTIONS } from '../shared/platform/config/worker-memory.ts';
import type { Lifecycle } from '../shared/platform/lifecycle.ts';
import type { Logger } from '../shared/platform/logger.ts';
import { requireRedis } from '../shared/platform/redis/require-redis.ts';
import { requireKeysOf } from '../shared/store/keys/key-checks.ts';
import { requireEnvironmentOf } from '../shared/store/sandbox/environment.ts';
import { buildConsoleIfChanged } from './console/build-if-changed.ts';
import { readOrMakeEmbeddedKeys } from './embedded-postgres/keys.ts';
import {
  ensureDatabase,
  hasEmbeddedCluster,
  startEmbeddedPostgres,
} from './embedded-postgres/server.ts';
import { lockDataDir } from './launch/data-dir-lock.ts';
import { healthPortsOf } from './launch/health-ports.ts';
import { prepareDatabase } from './launch/prepare-database.ts';
import { workersOfMachine } from './launch/workers-of-machine.ts';
import { seedDemonstration } from './seed.ts';
import { type Supervised, supervise } from './supervise.ts';

export interface SystemOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  /** The file for the output of the API and the workers. Default: the terminal. */
  readonly outputFd?: number;
  /** Called when the database is ready, before the API and the workers start. */
  readonly beforeServing?: (config: ServiceConfig) => Promise<void>;
}

export interface System {
  readonly config: ServiceConfig;
  /** The address of the API, without a path. */
  readonly url: string;
  /** The address of the API's health server, without a path; undefined without HEALTH_PORT. */
  readonly healthUrl: string | undefined;
}

/** The registry's database in the embedded server. */
export const DATABASE_NAME = 'registry';
const SERVERS_READY_MS_MAX = 60_000;
/** Shares of SHUTDOWN_GRACE_SECONDS: first the API, then the workers, then the database with the rest. */
const API_SHARE = 0.4;
const WORKERS_SHARE = 0.4;

/** The configuration of a whole registry on one machine. DRAIN_SECONDS is 0 by default: there is no load balancer to wait for. */
export function readSystemConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig({ DRAIN_SECONDS: '0', ...withoutEmpty(environment) });
}

/**
 * Starts the whole registry: database, migrations, demonstration data, one API process and the workers. Resolves when the API and
 * every worker are ready. Registers every part with the lifecycle, which stops the API first and the database last.
 */
export async function startSystem({
  environment,
  logger,
  lifecycle,
  outputFd,
  beforeServing,
}: SystemOptions): Promise<System> {
  const given = readSystemConfig(environment);
  const graceMs = given.shutdownGraceSeconds * 1_000;
  const drainMs = given.drainSeconds * 1_000;
  const workerCount = given.workers ?? workersOfMachine();
  const healthPorts = healthPortsOf(given, workerCount);
  const lock = await lockDataDir(given.dataDir, { logger, graceMs });
  lifecycle.onShutdown('data folder', () => lock.release());

  const consoleBuilt = buildConsoleIfChanged().catch((err: unknown) =>
    logger.warn({ err }, 'the console is missing or old; everything else works'),
  );
  const own = await environmentOfDatabase(given, logger, lifecycle);
  const complete = {
    ...own,
    ...withoutEmpty(environment),
    DATA_DIR: resolve(given.dataDir),
    DRAIN_SECONDS: String(given.drainSeconds),
  };
  const config = requireServiceConfig(readConfig(complete));
  await prepare(config, logger, given.databaseUrl === undefined);
  await requireRedis(config, logger);
  await beforeServing?.(config);
  await consoleBuilt;

  // An attacker who takes over an API or worker process must not find the owner's credentials in it.
  const serving = { ...complete, DATABASE_OWNER_URL: '' };
  const options = {
    logger,
    onPids: (pid: number, isRunning: boolean) => lock.note(pid, isRunning),
    ...(outputFd === undefined ? {} : { outputFd }),
  };
  const workers = healthPorts.workers.map((healthPort, index) =>
    supervise(
      {
        name: `worker-${index + 1}`,
        module: 'worker/main',
        nodeOptions: WORKER_NODE_OPTIONS,
        environment: {
          ...serving,
          ...graceOf(config, WORKERS_SHARE),
          ...healthPortOf(healthPort),
        },
      },
      options,
    ),
  );
  lifecycle.onShutdown('workers', () => stopAll(workers, graceMs * WORKERS_SHARE));
  const api = supervise(
    {
      name: 'api',
      module: 'api/main',
      environment: { ...serving, ...graceOf(config, API_SHARE), ...healthPortOf(healthPorts.api) },
    },
    options,
  );
  lifecycle.onShutdown('api', () => api.stop(drainMs + graceMs * API_SHARE));

  const [{ url, healthUrl }] = await Promise.all([
    api.ready,
    ...workers.map((worker) => worker.ready),
  ]);
  return { config, url: url ?? `http://${config.host}:${config.port}`, healthUrl };
}

/** Without DATABASE_URL: starts the embedded database and returns the variables with its URLs and keys. */
async function environmentOfDatabase(
  config: Config,
  logger: Logger,
  lifecycle: Lifecycle,
): Promise<NodeJS.ProcessEnv> {
  if (config.databaseUrl !== undefined) return {};
  const hasKeys = config.encryptionKeys !== undefined && config.clientSecretPepper !== undefined;
  const keys = hasKeys
    ? {}
    : readOrMakeEmbeddedKeys(config.dataDir, {
        databaseExists: hasEmbeddedCluster(config.dataDir),
      });
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, logger });
  lifecycle.onShutdown('database', () => postgres.stop());
  await ensureDatabase(postgres.adminUrl, DATABASE_NAME);
  return {
    ...keys,
    DATABASE_URL: postgres.databaseUrl(DATABASE_NAME),
    DATABASE_OWNER_URL: postgres.ownerUrl(DATABASE_NAME),
  };
}

/** Seeds demonstration data only into an empty embedded database, and never in production. */
async function prepare(config: ServiceConfig, logger: Logger, isEmbedded: boolean): Promise<void> {
  const { databaseUrl, databaseOwnerUrl } = config;
  const ownerUrl = databaseOwnerUrl ?? databaseUrl;
  const variable = databaseOwnerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
  await waitForDatabase(ownerUrl, SERVERS_READY_MS_MAX, variable);
  for (const migration of await prepareDatabase({ ownerUrl, databaseUrl }))
    logger.info({ migration }, 'migration applied');
  await waitForDatabases(config, SERVERS_READY_MS_MAX);
  await requireKeysOf(config);
  await requireEnvironmentOf(config);
  if (!isEmbedded || config.nodeEnv === 'production' || !(await isEmpty(config.databaseUrl)))
    return;
  await seedDemonstration({ databaseUrl: config.databaseUrl, config, logger });
  logger.info('demonstration data seeded');
}

async function isEmpty(databaseUrl: string): Promise<boolean> {
  return withClient(databaseUrl, 'start', async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM organizations LIMIT 1');
    return rowCount === 0;
  });
}

function healthPortOf(port: number | undefined): NodeJS.ProcessEnv {
  return port === undefined ? {} : { HEALTH_PORT: String(port) };
}

/** A process must give up before its supervisor kills it. */
function graceOf(config: ServiceConfig, share: number): NodeJS.ProcessEnv {
  return {
    SHUTDOWN_GRACE_SECONDS: String(Math.max(1, Math.floor(config.shutdownGraceSeconds * share))),
  };
}

async function stopAll(processes: readonly Supervised[], withinMs: number): Promise<void> {
  await Promise.all(processes.map((process) => process.stop(withinMs)));
}

function withoutEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}
