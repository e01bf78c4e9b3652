import type { Redis } from 'ioredis';
import { openDb } from '../shared/db/prisma.ts';
import { makeBursts } from '../shared/platform/bursts.ts';
import type { Clock } from '../shared/platform/clock.ts';
import type { ServiceConfig } from '../shared/platform/config/config.ts';
import { nonceEpochBegan } from '../shared/platform/events.ts';
import { listenForHealth } from '../shared/platform/health-server.ts';
import type { Logger } from '../shared/platform/logger.ts';
import type { Metrics } from '../shared/platform/metrics.ts';
import { connectRedis } from '../shared/platform/redis/redis.ts';
import { repeat } from '../shared/platform/repeat.ts';
import { makeKeyring } from '../shared/platform/secrets/sealing.ts';
import { makeTurns } from '../shared/platform/turns.ts';
import { openQueueAccess } from '../shared/queue/open.ts';
import { makeApp } from './app.ts';
import { makePostgresNonceStore, makeRedisNonceStore } from './auth/machine/nonce.ts';
import { makeRedisWatch, REDIS_WATCH_INTERVAL_MS } from './auth/machine/watch-redis.ts';
import { makePostgresLimits, makeRedisLimits } from './auth/rate-limit.ts';
import type { ApiContext } from './context.ts';
import { refuseLongHeaders } from './http/header-limits.ts';
import { makeApiHealth } from './http/health.ts';
import { listen, type ServerTimeouts } from './http/listen.ts';
import type { Handlers } from './machine/route.ts';
import { makeRoundTrips } from './machine/submission/loaders.ts';
import { makeWaiters } from './machine/submission/waiters.ts';
import { PRUNE_INTERVAL_MS, pruneExpired } from './prune-expired.ts';
import { makeBacklogReader } from './throttle/backlog-limit.ts';

export interface ApiOptions {
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly handlers: Handlers;
  /** What differs from the default: for who asks, and for the database and Redis (`storesMs`). */
  readonly timeouts?: Partial<ServerTimeouts> & { readonly storesMs?: number };
}

export interface RunningApi {
  readonly context: ApiContext;
  /** Where it listens, without a path. */
  readonly url: string;
  /** Where its health server listens, without a path; undefined without HEALTH_PORT. */
  readonly healthUrl: string | undefined;
  /** From now on it is not ready, and everything else goes on as before. */
  startDraining(): void;
  /** Accepts nothing more, lets what waits be answered, then disconnects. */
  close(): Promise<void>;
}

/** Requests of one organization on their way to the commit while others send: enough to share their round trips. */
export const PLACES_OF_AN_ORGANIZATION = 8;
/** As many at a time; of a crowd more, so that the last waits for a second at most. */
const BURSTS_OF_AN_ORGANIZATION = { gapMs: 160, size: PLACES_OF_AN_ORGANIZATION, waitMsMax: 1_000 };

/** Database and queue must be migrated and reachable; from here on their outages are answered with INTERNAL_ERROR. */
export async function startApi({
  config,
  clock,
  logger,
  metrics,
  handlers,
  timeouts: { storesMs, ...timeouts } = {},
}: ApiOptions): Promise<RunningApi> {
  const db = openDb({
    databaseUrl: config.databaseUrl,
    poolMax: config.databasePoolMax,
    applicationName: 'registry-api',
    waitMs: storesMs,
  });
  const access = openQueueAccess(config, logger, 'api');
  const redis = await openGateRedis(config, logger, storesMs);
  const keyring = makeKeyring(config.encryptionKeys);
  const producer = await access.producer();
  const waiters = makeWaiters(db, logger);
  const subscription = await access.subscribe(waiters.notify);
  const onEpoch = (epochSeconds: number) => nonceEpochBegan({ logger, metrics }, { epochSeconds });
  const context: ApiContext = {
    config,
    clock,
    logger,
    metrics,
    db,
    keyring,
    roundTrips: makeRoundTrips({ db, clock, keyring, producer }),
    producer,
    readBacklog: makeBacklogReader(db, config.workerRatePerSecond),
    waiters,
    nonces:
      redis === undefined
        ? await makePostgresNonceStore({ db, clock, onEpoch })
        : await makeRedisNonceStore({ db, clock, onEpoch, redis, keyPrefix: config.redisPrefix }),
    limits:
      redis === undefined
        ? makePostgresLimits({ db })
        : makeRedisLimits({ redis, keyPrefix: config.redisPrefix }),
    turns: makeTurns(PLACES_OF_AN_ORGANIZATION),
    bursts: makeBursts(BURSTS_OF_AN_ORGANIZATION),
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
  const listening = await listen(makeApp(context, handlers), config, {
    timeouts,
    refuseLongHeaders: (socket) => refuseLongHeaders(socket, logger),
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
      // Who waits for an outcome is answered with what is known now, and may come back at once: not to a door that closes.
      await listening.stopAccepting();
      const closed = listening.close();
      await waiters.close();
      await closed;
      await pruning.stop();
      await watching?.stop();
      await subscription.close();
      await context.roundTrips.untilWoken();
      await context.producer.close();
      await access.close();
      redis?.disconnect();
      await health?.close();
      await db.$disconnect();
    },
  };
}

/** Nonces and limits share one connection. Undefined in the shape without Redis. */
async function openGateRedis(
  { redisUrl }: ServiceConfig,
  logger: Logger,
  commandMs: number | undefined,
): Promise<Redis | undefined> {
  return redisUrl === undefined
    ? undefined
    : connectRedis(redisUrl, { role: 'fail-fast', logger, name: 'api-gate', commandMs });
}
