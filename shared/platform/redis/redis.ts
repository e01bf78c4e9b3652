import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisOptions as IoredisOptions, Redis } from 'ioredis';
import type { Logger } from '../logger.ts';
import { type RedisState, readRedisState } from './redis-state.ts';

/**
 * queue-worker and subscriber: wait through any outage; commands are sent when Redis is back.
 * fail-fast: for HTTP requests. Without a connection a command fails at once, otherwise within COMMAND_TIMEOUT_MS.
 */
export type RedisRole = 'queue-worker' | 'subscriber' | 'fail-fast';

export interface RedisOptions {
  readonly role: RedisRole;
  readonly logger: Logger;
  /** Shown by CLIENT LIST. */
  readonly name?: string;
  /** Time limit for the first connection. */
  readonly deadlineMs?: number;
  /** Time limit for a command of the role fail-fast. Default: COMMAND_TIMEOUT_MS. */
  readonly commandMs?: number | undefined;
}

/** Long enough that a process that was itself paused for a few seconds can still read the answer. */
const COMMAND_TIMEOUT_MS = 5_000;
/** A connection without an answer for this long is lost. It must exceed the longest blocking wait for a job. */
const SILENCE_MS_MAX = 15_000;
const SILENCE_BEYOND_COMMAND_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_MS_MAX = 1_000;
/** Demotions within this time of each other belong to one failover; each pause is then longer than the last. */
const FAILOVER_MS = 5_000;
const FIRST_CONNECTION_MS = 30_000;

/**
 * Error codes of a server that is no longer the primary: it refuses writes or reads, or it ended a blocking command when it
 * was demoted. A script wraps them in its own text. The connection itself works, so nothing else would close it.
 */
const DEMOTED = /\b(READONLY|MASTERDOWN|UNBLOCKED)\b/;

/**
 * Resolves with a connection that is ready. It reconnects forever, also when the server answers that it is no longer the
 * primary, because the address may lead to a new primary by then. Its error listener logs, so a lost connection never ends
 * the process.
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
    ...reconnectOptions(role, logger),
    ...(name === undefined ? {} : { connectionName: name }),
    ...(role === 'fail-fast'
      ? {
          enableOfflineQueue: false,
          autoResendUnfulfilledCommands: false,
          maxRetriesPerRequest: 0,
          commandTimeout: commandMs,
          // Later than the time-out of the command.
          socketTimeout: commandMs + SILENCE_BEYOND_COMMAND_MS,
        }
      : { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS_MAX }),
  });
  redis.on('error', (error: Error) =>
    logger.warn({ reason: error.message, role }, 'Redis connection error'),
  );
  await untilReady(redis, url, deadlineMs);
  return redis;
}

/**
 * Copies of the connection that a library makes, such as the one on which BullMQ waits for jobs, have the same options.
 * A demoted server did not execute the command that it refused: in the role fail-fast the command rejects, in the other roles
 * it is sent again.
 */
function reconnectOptions(
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

/** Resolves with the state of the primary. Throws when no primary has answered within `deadlineMs`. */
export async function waitForRedis(url: string, deadlineMs: number): Promise<RedisState> {
  const endsAt = performance.now() + deadlineMs;
  for (;;) {
    const state = await readStateOnce(url, Math.max(Math.ceil(endsAt - performance.now()), 1));
    // During a failover the address may lead to a replica for a while.
    if (state.isPrimary) return state;
    if (performance.now() >= endsAt) {
      throw new Error(
        `Redis at ${new URL(url).host} is a replica, which refuses writes: set REDIS_URL to the primary`,
      );
    }
    await sleep(RECONNECT_MS_MAX);
  }
}

async function readStateOnce(url: string, deadlineMs: number): Promise<RedisState> {
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
