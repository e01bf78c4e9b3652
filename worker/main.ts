import { checkMigrations } from '../shared/db/migrate.ts';
import { checkGrants, findUnrestrictedRole } from '../shared/db/service-role.ts';
import { waitForDatabases } from '../shared/db/wait-for-database.ts';
import { withClient } from '../shared/db/with-client.ts';
import { systemClock } from '../shared/platform/clock.ts';
import {
  readConfig,
  requireServiceConfig,
  type ServiceConfig,
} from '../shared/platform/config/config.ts';
import { reportReady } from '../shared/platform/config/supervised.ts';
import { listenForHealth } from '../shared/platform/health-server.ts';
import { makeLifecycle } from '../shared/platform/lifecycle.ts';
import { makeLogger } from '../shared/platform/logger.ts';
import { collectProcessMetrics, makeMetrics } from '../shared/platform/metrics.ts';
import { requireRedis } from '../shared/platform/redis/require-redis.ts';
import { checkQueueMigrations } from '../shared/queue/migrate.ts';
import { requireKeysOf } from '../shared/store/keys/key-checks.ts';
import { requireEnvironmentOf } from '../shared/store/sandbox/environment.ts';
import { makeWorkerHealth } from './health.ts';
import { startWorker } from './worker.ts';

const SERVERS_READY_MS_MAX = 60_000;

// A worker process: processes transmissions until it receives SIGTERM or SIGINT.
async function main(): Promise<void> {
  const config = requireServiceConfig(readConfig(process.env));
  const logger = makeLogger({ level: config.logLevel, name: 'worker' });
  const metrics = makeMetrics();
  collectProcessMetrics(metrics);
  const lifecycle = makeLifecycle({
    logger,
    graceSeconds: config.shutdownGraceSeconds,
    supervised: config.supervised,
  });
  await waitForDatabases(config, SERVERS_READY_MS_MAX);
  await requireRedis(config, logger);
  await requireSchemas(config);
  await requireKeysOf(config);
  await requireEnvironmentOf(config);
  const unbound = await withClient(config.databaseUrl, 'worker', findUnrestrictedRole);
  if (unbound !== undefined) logger.warn(unbound);
  const worker = await startWorker({ config, clock: systemClock, logger, metrics });
  const { host, healthPort } = config;
  const health =
    healthPort === undefined
      ? undefined
      : await listenForHealth(
          makeWorkerHealth({ ...worker.context, checkQueue: () => worker.checkQueue() }),
          { host, port: healthPort },
        );
  // Closed last, so that it reports the shutdown until the end.
  if (health !== undefined) lifecycle.onShutdown('health', () => health.close());
  lifecycle.onShutdown('worker', () => worker.close());
  const healthUrl = health?.url;
  const { workerConcurrency: concurrency, registryEnvironment: environment } = config;
  logger.info({ concurrency, healthUrl, environment }, 'worker is ready');
  reportReady({ healthUrl });
}

/** On missing tables BullMQ's worker would fail silently, so the process doesn't start. */
async function requireSchemas({ databaseUrl, redisUrl }: ServiceConfig): Promise<void> {
  const problems = await withClient(databaseUrl, 'worker', async (client) => [
    ...(await checkMigrations(client)),
    ...(redisUrl === undefined ? await checkQueueMigrations(client) : []),
    ...(await checkGrants(client)),
  ]);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
