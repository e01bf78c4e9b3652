import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { AppError } from '../../shared/contract/errors.ts';
import type { Db } from '../../shared/db/prisma.ts';
import { groupBy } from '../../shared/domain/group-by.ts';
import { makeBatchLoader } from '../../shared/platform/batch-loader.ts';
import { queryRateLimits, RATE_LIMITS_TABLE } from '../../shared/store/access/rate-limits.ts';
import { limitedNetwork } from './caller-address.ts';
import type { Submitter } from './machine/submitter.ts';

/** api.md, "Limits". */
export const TOKEN_REQUESTS_PER_MINUTE = 20;
export const SIGN_INS_PER_MINUTE = 10;
const WINDOW_SECONDS = 60;
const COUNTED_TOGETHER_MAX = 100;
const PROBE_KEY = 'readiness';

/** The rest of a quota. */
export interface Quota {
  /** Requests left in this window, after this one. */
  readonly remaining: number;
  /** Until the next window begins, at least 1. */
  readonly resetSeconds: number;
}

export interface LimitState extends Quota {
  readonly allowed: boolean;
  /** `RateLimit-Policy` and `RateLimit` (D20), and `Retry-After` when not allowed. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts requests in windows of a minute. Throws when the store cannot be reached, so that no request passes uncounted. */
export interface Limits {
  /** Counts against the client's quota, which all processes share. */
  takeClient(submitter: Pick<Submitter, 'apiClientId' | 'rateLimitPerMinute'>): Promise<LimitState>;
  /** Counts token requests per address (IPv6: per /64), whatever their result. */
  takeTokenRequest(address: string): Promise<LimitState>;
  /** Counts staff sign-ins per address (IPv6: per /64), whatever their result. */
  takeSignIn(address: string): Promise<LimitState>;
  /** Rejects while the store can count nothing. */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}

export function makeRedisLimits({ redis, keyPrefix }: { redis: Redis; keyPrefix: string }): Limits {
  return makeLimits(
    (name) =>
      new RateLimiterRedis({
        ...countingOptions(`${keyPrefix}:limits:${name}`),
        storeClient: redis,
        rejectIfRedisNotReady: true,
      }),
  );
}

export function makePostgresLimits({ db }: { db: Db }): Limits {
  return makeLimits(
    (name) =>
      new RateLimiterPostgres({
        ...countingOptions(name),
        storeClient: {
          query: (statement: { text: string; values: unknown[] }) => queryRateLimits(db, statement),
        },
        storeType: 'client',
        tableName: RATE_LIMITS_TABLE,
        tableCreated: true,
        clearExpiredByTimeout: false,
      }),
  );
}

/** @throws {AppError} RATE_LIMITED */
export function requireAllowed({ allowed, headers }: LimitState, who: string): void {
  if (!allowed) throw new AppError('RATE_LIMITED', `${who} is over its limit`, { headers });
}

/** The library only counts. Quotas differ between clients, so they are compared here. */
function countingOptions(keyPrefix: string) {
  return { keyPrefix, points: 2 ** 31 - 1, duration: WINDOW_SECONDS };
}

function makeLimits(makeCounter: (name: string) => RateLimiterAbstract): Limits {
  const clients = makeCounter('client');
  const tokens = makeCounter('token');
  const signIns = makeCounter('sign-in');
  const probes = makeCounter('probe');
  const takeOfClient = makeBatchLoader((ids: readonly string[]) => consumeTogether(clients, ids), {
    itemsMax: COUNTED_TOGETHER_MAX,
    isRepeatable: false,
  });
  return {
    takeClient: async ({ apiClientId, rateLimitPerMinute }) =>
      stateOf(await takeOfClient(apiClientId), 'client', rateLimitPerMinute),
    takeTokenRequest: async (address) =>
      stateOf(
        await consume(tokens, limitedNetwork(address), 1),
        'token',
        TOKEN_REQUESTS_PER_MINUTE,
      ),
    takeSignIn: async (address) =>
      stateOf(await consume(signIns, limitedNetwork(address), 1), 'sign-in', SIGN_INS_PER_MINUTE),
    checkWritable: async () => void (await consume(probes, PROBE_KEY, 1)),
    close: async () => undefined,
  };
}

interface Count {
  /** Requests in this window, including this one. */
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
}

/** Counts simultaneous requests of one client in one step. Each gets its own count, in their order. */
async function consumeTogether(
  counter: RateLimiterAbstract,
  keys: readonly string[],
): Promise<Count[]> {
  const places = groupBy([...keys.keys()], (place) => keys[place] ?? '');
  const counts: Count[] = [];
  await Promise.all(
    [...places].map(async ([key, ofKey]) => {
      const { consumedPoints, msBeforeNext } = await consume(counter, key, ofKey.length);
      ofKey.forEach((place, before) => {
        counts[place] = {
          consumedPoints: consumedPoints - ofKey.length + before + 1,
          msBeforeNext,
        };
      });
    }),
  );
  return counts;
}

function stateOf(
  { consumedPoints, msBeforeNext }: Count,
  policy: string,
  quota: number,
): LimitState {
  const allowed = consumedPoints <= quota;
  const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  const remaining = Math.max(0, quota - consumedPoints);
  return {
    allowed,
    remaining,
    resetSeconds,
    headers: {
      'RateLimit-Policy': `"${policy}";q=${quota};w=${WINDOW_SECONDS}`,
      RateLimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
      ...(allowed ? {} : { 'Retry-After': String(resetSeconds) }),
    },
  };
}

async function consume(
  counter: RateLimiterAbstract,
  key: string,
  points: number,
): Promise<RateLimiterRes> {
  try {
    return await counter.consume(key, points);
  } catch (error) {
    if (error instanceof RateLimiterRes) return error;
    throw error;
  }
}
