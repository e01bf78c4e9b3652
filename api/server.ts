import type { Redis } from 'ioredis';
import { openDb } from '../shared/db/prisma.ts';
import type { Clock } from '../shared/platform/clock.ts';
import type { ServiceConfig } from '../shared/platform/config/config.ts';
import { nonceEpochBegan } from '../shared/platform/events.ts';
import { listenForHealth } from '../shared/platform/health-server.ts';
import type { Logger } from '../shared/platform/logger.ts';
import type { Metrics } from '../shared/platform/metrics.ts';
import { connectRedis } from '../shared/platform/redis/redis.ts';
import { repeat } from '../shared/platform/repeat.ts';
import { makeKeyring } from '../shared/platform/secrets/sealing.ts';
import { openQueueAccess } from '../shared/queue/open.ts';
import { makeFeedMark } from '../shared/store/registry/feed/feed-mark.ts';
import { makeApp } from './app.ts';
import { makePostgresNonceStore, makeRedisNonceStore } from './auth/machine/nonce.ts';
import { makeRedisWatch, REDIS_WATCH_INTERVAL_MS } from './auth/machine/watch-redis.ts';
import { makePostgresLimits, makeRedisLimits } from './auth/rate-limit.ts';
import { consoleFolder as builtConsole } from './console/console-folder.ts';
import type { ApiContext } from './context.ts';
import { refuseLongHeaders } from './http/header-limits.ts';
import { makeApiHealth } from './http/health.ts';
import { listen, type ServerTimeouts } from './http/listen.ts';
import { makeFeedWaiters } from './machine/feed/feed-waiters.ts';
import { MEASURE_FEED_INTERVAL_MS, measureFeed } from './machine/feed/measure-feed.ts';
import type { Handlers } from './machine/request.ts';
import { makeLoaders } from './machine/submission/loaders.ts';
import { makeWaiters } from './machine/submission/waiters.ts';
import {
  DRY_RUNS_WRITE_INTERVAL_MS,
  makeDryRunCounter,
} from './machine/validation/dry-run-counter.ts';
import { PRUNE_INTERVAL_MS, pruneExpired } from './prune-expired.ts';
import { makeBacklogReader, makeWholeBacklogReader } from './throttle/backlog-limit.ts';
import { makeTenantLimiter, TENANT_SLOTS } from './throttle/tenant-limiter.ts';

export interface ApiOptions {
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly handlers: Handlers;
  /** Time-outs other than the defaults. `storesMs` is for the database and Redis, the others for callers. */
  readonly timeouts?: Partial<ServerTimeouts> & { readonly storesMs?: number };
  /** The folder of a built console other than the default. */
  readonly consoleFolder?: string;
}

export interface RunningApi {
  readonly context: ApiContext;
  /** The URL on which it listens, without a path. */
  readonly url: string;
  /** The URL of its health server, without a path. Undefined without HEALTH_PORT. */
  readonly healthUrl: string | undefined;
  /** It reports that it is not ready, and handles requests as before. */
  startDraining(): void;
  /** Accepts no more requests, answers those that wait, then disconnects. */
  close(): Promise<void>;
}

/** Database and queue must be migrated and reachable. Later outages are answered with INTERNAL_ERROR. */
export async function startApi({
  config,
  clock,
  logger,
  metrics,
  handlers,
  timeouts: { storesMs, ...timeouts } = {},
  consoleFolder = builtConsole(),
}: ApiOptions): Promise<RunningApi> {
  const db = openDb({
    databaseUrl: config.databaseUrl,
    poolMax: config.databasePoolMax,
    applicationName: 'registry-api',
    waitMs: storesMs,
  });
  const access = openQueueAccess(config, logger, 'api');
  const redis = await openAuthRedis(config, logger, storesMs);
  const keyring = makeKeyring(config.encryptionKeys);
  const producer = await access.producer();
  const waiters = makeWaiters(db, logger);
  const feedWaiters = makeFeedWaiters(db, logger);
  const subscription = await access.subscribe((ids) => {
    waiters.notify(ids);
    feedWaiters.notify();
  });
  const onEpoch = (epochSeconds: number) => nonceEpochBegan({ logger, metrics }, { epochSeconds });
  const context: ApiContext = {
    config,
    clock,
    logger,
    metrics,
    db,
    keyring,
    loaders: makeLoaders({ db, clock, keyring, producer }),
    producer,
    readBacklog: makeBacklogReader(db, config.workerRatePerSecond),
    readWholeBacklog: makeWholeBacklogReader(db, config.workerRatePerSecond),
    waiters,
    feedWaiters,
    feedMark: makeFeedMark(),
    dryRuns: makeDryRunCounter(db),
    nonces:
      redis === undefined
        ? await makePostgresNonceStore({ db, clock, onEpoch })
        : await makeRedisNonceStore({ db, clock, onEpoch, redis, keyPrefix: config.redisPrefix }),
    limits:
      redis === undefined
        ? makePostgresLimits({ db })
        : makeRedisLimits({ redis, keyPrefix: config.redisPrefix }),
    tenantLimiter: makeTenantLimiter(TENANT_SLOTS),
    consoleFolder,
  };
  const watching =
    redis === undefined
      ? undefined
      : repeat(makeRedisWatch(redis, context), {
          everyMs: REDIS_WATCH_INTERVAL_MS,
          onError: (err) => logger.warn({ err }, 'Redis could not be watched'),
        });
  const pruning = repeat(() => pruneExpired(context), {
    everyMs: PRUNE_INTERVAL_MS,
    onError: (err) => logger.warn({ err }, 'pruning failed and will be repeated'),
  });
  const measuring = repeat(() => measureFeed(context), {
    everyMs: MEASURE_FEED_INTERVAL_MS,
    onError: (err) => logger.warn({ err }, 'the change feed could not be measured'),
  });
  const counting = repeat(() => context.dryRuns.write(), {
    everyMs: DRY_RUNS_WRITE_INTERVAL_MS,
    onError: (err) =>
      logger.warn({ err }, 'dry runs could not be counted; the next pass adds them'),
  });
  const listening = await listen(makeApp(context, handlers), config, {
    timeouts,
    refuseLongHeaders: (socket) => refuseLongHeaders(socket, logger, config.registryEnvironment),
  });
  let isEnding = false;
  const { host, healthPort } = config;
  const health =
    healthPort === undefined
      ? undefined
      : await listenForHealth(
          makeApiHealth(context, () => isEnding),
          { host, port: healthPort },
        );
  return {
    context,
    url: listening.url,
    healthUrl: health?.url,
    startDraining: () => {
      isEnding = true;
    },
    close: async () => {
      isEnding = true;
      // Waiting requests are answered at once, and their callers may come back at once. They must not reach this process again.
      await listening.stopAccepting();
      const closed = listening.close();
      await waiters.close();
      await feedWaiters.close();
      await closed;
      await pruning.stop();
      await measuring.stop();
      await counting.stop();
      await context.dryRuns
        .write()
        .catch((err: unknown) => logger.warn({ err }, 'the last dry runs could not be counted'));
      await watching?.stop();
      await subscription.close();
      await context.loaders.untilWoken();
      await context.producer.close();
      await access.close();
      redis?.disconnect();
      await health?.close();
      await db.$disconnect();
    },
  };
}

/** The connection that nonces and rate limits share. Undefined in the shape without Redis. */
async function openAuthRedis(
  { redisUrl }: ServiceConfig,
  logger: Logger,
  commandMs: number | undefined,
): Promise<Redis | undefined> {
  return redisUrl === undefined
    ? undefined
    : connectRedis(redisUrl, { role: 'fail-fast', logger, name: 'api-gate', commandMs });
}
