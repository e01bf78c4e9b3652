import { findUnrestrictedRole } from '../shared/db/service-role.ts';
import { waitForDatabases } from '../shared/db/wait-for-database.ts';
import { withClient } from '../shared/db/with-client.ts';
import { systemClock } from '../shared/platform/clock.ts';
import {
  readConfig,
  requireOwnHealthPort,
  requireServiceConfig,
} from '../shared/platform/config/config.ts';
import { reportReady } from '../shared/platform/config/supervised.ts';
import { makeLifecycle } from '../shared/platform/lifecycle.ts';
import { makeLogger } from '../shared/platform/logger.ts';
import { collectProcessMetrics, makeMetrics } from '../shared/platform/metrics.ts';
import { requireRedis } from '../shared/platform/redis/require-redis.ts';
import { requireKeysOf } from '../shared/store/keys/key-checks.ts';
import { requireEnvironmentOf } from '../shared/store/sandbox/environment.ts';
import { findSchemaProblems } from './http/health.ts';
import { HANDLERS } from './machine/table.ts';
import { startApi } from './server.ts';

const SERVERS_READY_MS_MAX = 60_000;
/** A client on a busy machine may pause this long between two requests and must not find its connection closed. */
const QUIET_MS = 1_500;

/** npm run api: runs one API process until it is stopped. */
async function main(): Promise<void> {
  const config = requireServiceConfig(readConfig(process.env));
  requireOwnHealthPort(config);
  const logger = makeLogger({ level: config.logLevel, name: 'api' });
  const metrics = makeMetrics();
  collectProcessMetrics(metrics);
  const { shutdownGraceSeconds: graceSeconds, drainSeconds, supervised } = config;
  const lifecycle = makeLifecycle({ logger, graceSeconds, drainSeconds, supervised });

  await waitForDatabases(config, SERVERS_READY_MS_MAX);
  await requireRedis(config, logger);
  const problems = await findSchemaProblems(config);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await requireKeysOf(config);
  await requireEnvironmentOf(config);
  const roleProblem = await withClient(config.databaseUrl, 'api role check', findUnrestrictedRole);
  if (roleProblem !== undefined) logger.warn(roleProblem);

  const api = await startApi({
    config,
    clock: systemClock,
    logger,
    metrics,
    handlers: HANDLERS,
    timeouts: { quietMs: QUIET_MS },
  });
  lifecycle.onEnding(() => api.startDraining());
  lifecycle.onShutdown('api', () => api.close());
  const { url, healthUrl } = api;
  logger.info({ url, healthUrl, environment: config.registryEnvironment }, 'API is listening');
  reportReady({ url, healthUrl });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
