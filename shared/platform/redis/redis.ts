import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisOptions as IoredisOptions, Redis } from 'ioredis';
import type { Logger } from '../logger.ts';
import { type RedisState, readRedisState } from './redis-state.ts';

/**
 * queue-worker and subscriber: wait out any outage, commands are sent when Redis is back.
 * fail-fast: for the path of a request; without a connection a command fails at once, with one within COMMAND_TIMEOUT_MS.
 */
export type RedisRole = 'queue-worker' | 'subscriber' | 'fail-fast';

export interface RedisOptions {
  readonly role: RedisRole;
  readonly logger: Logger;
  /** Shown by CLIENT LIST. */
  readonly name?: string;
  /** How long the first connection may take. */
  readonly deadlineMs?: number;
  /** How long a command of the role fail-fast may take; COMMAND_TIMEOUT_MS when left out. */
  readonly commandMs?: number | undefined;
}

/** A process that stood still for seconds itself finds the time over before it reads the answer. */
const COMMAND_TIMEOUT_MS = 5_000;
/** A connection that owes an answer for so long is lost; above the longest wait for a job, which is an answer late on purpose. */
const SILENCE_MS_MAX = 15_000;
const SILENCE_BEYOND_COMMAND_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_MS_MAX = 1_000;
/** Demotions that follow one another within so long belong to one failover, and each pause is longer than the last. */
const FAILOVER_MS = 5_000;
const FIRST_CONNECTION_MS = 30_000;

/**
 * Answers of a server that is no longer the primary: it refuses writes, refuses reads, or ended a blocking command when it
 * was demoted. A script puts its own words around them. The connection itself is sound, so nothing else would end it.
 */
const DEMOTED = /\b(READONLY|MASTERDOWN|UNBLOCKED)\b/;

/**
 * Resolves with a connection that is ready. It reconnects by itself for ever, also when its server answers that it is no
 * longer the primary: behind the same address there may be another one by now. Its error listener logs, so a cut never
 * ends the process.
 */
export async function connectRedis(
  url: string,
  {
    role,
    logger,
    name,
    deadlineMs = FIRST_CONNECTION_MS,
    commandMs = COMMAND_TIMEOUT_MS,
  }: RedisOptions,
): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...reconnecting(role, logger),
    ...(name === undefined ? {} : { connectionName: name }),
    ...(role === 'fail-fast'
      ? {
          enableOfflineQueue: false,
          autoResendUnfulfilledCommands: false,
          maxRetriesPerRequest: 0,
          commandTimeout: commandMs,
          // The time-out of the command comes first.
          socketTimeout: commandMs + SILENCE_BEYOND_COMMAND_MS,
        }
      : { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS_MAX }),
  });
  redis.on('error', (error: Error) =>
    logger.warn({ reason: error.message, role }, 'redis connection trouble'),
  );
  await untilReady(redis, url, deadlineMs);
  return redis;
}

/**
 * Every copy that a library makes of the connection, such as the one on which BullMQ waits for jobs, has these options, too.
 * A command that a demoted server refused was not carried out: fail-fast hears of it, the other roles have it sent again.
 */
function reconnecting(
  role: RedisRole,
  logger: Logger,
): Pick<IoredisOptions, 'retryStrategy' | 'reconnectOnError'> {
  let isDemoted = false;
  let demotions = 0;
  let lastDemotedMs = Number.NEGATIVE_INFINITY;
  return {
    reconnectOnError: ({ message }) => {
      if (!DEMOTED.test(message)) return false;
      if (!isDemoted) logger.warn({ reason: message, role }, 'Redis is no longer the primary');
      isDemoted = true;
      return role === 'fail-fast' ? 1 : 2;
    },
    retryStrategy: (attempt) => {
      if (!isDemoted) return reconnectMs(attempt);
      isDemoted = false;
      const nowMs = performance.now();
      demotions = nowMs - lastDemotedMs < FAILOVER_MS ? demotions + 1 : 1;
      lastDemotedMs = nowMs;
      return reconnectMs(demotions);
    },
  };
}

/** Resolves with what a primary says of itself. Throws when none has answered within `deadlineMs`. */
export async function waitForRedis(url: string, deadlineMs: number): Promise<RedisState> {
  const endsAt = performance.now() + deadlineMs;
  for (;;) {
    const state = await askOnce(url, Math.max(Math.ceil(endsAt - performance.now()), 1));
    // In the middle of a failover the address leads to a replica for a while.
    if (state.isPrimary) return state;
    if (performance.now() >= endsAt) {
      throw new Error(
        `Redis at ${new URL(url).host} is a replica, which takes no writes: let REDIS_URL lead to the primary`,
      );
    }
    await sleep(RECONNECT_MS_MAX);
  }
}

async function askOnce(url: string, deadlineMs: number): Promise<RedisState> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: reconnectMs,
    maxRetriesPerRequest: null,
    socketTimeout: SILENCE_MS_MAX,
  });
  redis.on('error', () => undefined);
  try {
    await untilReady(redis, url, deadlineMs);
    return await readRedisState(redis);
  } finally {
    redis.disconnect();
  }
}

function reconnectMs(attempt: number): number {
  return Math.min(attempt * 50, RECONNECT_MS_MAX);
}

function untilReady(redis: Redis, url: string, deadlineMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let lastReason = 'no answer';
    const onError = (error: Error) => {
      lastReason = error.message;
    };
    const settle = () => {
      clearTimeout(timer);
      redis.off('error', onError);
      redis.off('ready', onReady);
    };
    const onReady = () => {
      settle();
      resolve();
    };
    const timer = setTimeout(() => {
      settle();
      redis.disconnect();
      const { host } = new URL(url);
      reject(
        new Error(
          `Redis at ${host} did not answer within ${deadlineMs / 1_000} s (${lastReason}): start it, or correct REDIS_URL`,
        ),
      );
    }, deadlineMs);
    redis.on('error', onError);
    redis.on('ready', onReady);
    // A failed attempt is reported by the error event and repeated by the retry strategy.
    redis.connect().catch(() => undefined);
  });
}
