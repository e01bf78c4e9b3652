import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { makeRedisNonceStore, type NonceStore } from '../../../../api/auth/machine/nonce.ts';
import { makeRedisWatch } from '../../../../api/auth/machine/watch-redis.ts';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { type MovableClock, makeMovableClock } from '../../../../shared/platform/clock.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';
import { makeMetrics } from '../../../../shared/platform/metrics.ts';
import { connectRedis } from '../../../../shared/platform/redis/redis.ts';
import { requireRedis } from '../../../../shared/platform/redis/require-redis.ts';
import { newNonce } from '../../../env/api/signed-request.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';
import { type RedisServer, startRedisServer } from '../../../env/servers/redis.ts';

const CLIENT = 'client-1';
const PREFIX = 'registry';
const VALUE = 'x'.repeat(100_000);

let folder: string;
let server: RedisServer;
let redis: Redis;
let database: TestDatabase;
let db: Db;
let clock: MovableClock;
let epochs: number[];
let lines: string[];
const logger = makeLogger({
  level: 'info',
  name: 'test',
  destination: { write: (line) => void lines.push(line) },
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'redis-eviction-'));
  server = await startRedisServer(folder);
  redis = await connectRedis(server.url, { role: 'fail-fast', logger });
});
beforeEach(async () => {
  lines = [];
  epochs = [];
  await redis.config('SET', 'maxmemory-policy', 'noeviction');
  await redis.config('SET', 'maxmemory', '0');
  await redis.flushall();
  database = await makeTestDatabase();
  db = openDb({ databaseUrl: database.url, poolMax: 2, applicationName: 'test' });
  clock = makeMovableClock(new Date());
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
  rmSync(folder, { recursive: true });
});

function openStore(): Promise<NonceStore> {
  const onEpoch = (epoch: number) => void epochs.push(epoch);
  return makeRedisNonceStore({ db, clock, redis, keyPrefix: PREFIX, onEpoch });
}

function now(): number {
  return Math.floor(clock.now().getTime() / 1_000);
}

const keyOf = (nonce: string) => `${PREFIX}:nonces:${CLIENT.length}:${CLIENT}:${nonce}`;

/** Fills Redis until it has evicted this nonce. */
async function evict(nonce: string, policy = 'volatile-ttl'): Promise<void> {
  await redis.config('SET', 'maxmemory-policy', policy);
  const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  await redis.config('SET', 'maxmemory', String(used + 300_000));
  for (let filled = 0; (await redis.exists(keyOf(nonce))) === 1; filled += 1) {
    if (filled > 1_000) throw new Error('nothing was evicted');
    // Redis may evict keys with an expiry; the nonce is the first one.
    await redis.set(`fill:${filled}`, VALUE, 'EX', 100_000);
  }
  await redis.config('SET', 'maxmemory', '0');
}

describe('a nonce that Redis evicted (D61)', () => {
  it('does not allow a replay, from the first use after the eviction', async () => {
    const store = await openStore();
    const nonce = newNonce();
    const signedAt = now();
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('fresh');
    clock.advance(5_000);
    await evict(nonce);
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('before-epoch');
    expect(epochs).toEqual([now()]);
    clock.advance(1_000);
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('before-epoch');
    const fresh = newNonce();
    expect(await store.use(CLIENT, fresh, now())).toBe('fresh');
    expect(await store.use(CLIENT, fresh, now())).toBe('reused');
    expect(epochs).toHaveLength(1);
  });

  it('does not allow a replay with a timestamp ahead of the clock', async () => {
    const store = await openStore();
    const nonce = newNonce();
    const signedAt = now() + 200;
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('fresh');
    clock.advance(5_000);
    await evict(nonce);
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('reused');
  });

  it('does not allow a replay at another process, or after the counter of evictions was reset', async () => {
    const store = await openStore();
    const other = await openStore();
    const nonce = newNonce();
    const signedAt = now();
    expect(await store.use(CLIENT, nonce, signedAt)).toBe('fresh');
    await evict(nonce);
    expect(await other.use(CLIENT, nonce, signedAt)).toBe('before-epoch');
    clock.advance(1_000);
    const later = newNonce();
    expect(await store.use(CLIENT, later, now())).toBe('fresh');
    await redis.config('RESETSTAT');
    expect(await store.use(CLIENT, later, now())).toBe('before-epoch');
  });

  it('is noticed without requests, so that later requests are accepted', async () => {
    const store = await openStore();
    await store.noticeLoss();
    const nonce = newNonce();
    expect(await store.use(CLIENT, nonce, now())).toBe('fresh');
    await evict(nonce, 'allkeys-lru');
    await store.noticeLoss();
    expect(epochs).toHaveLength(1);
    clock.advance(1_000);
    expect(await store.use(CLIENT, newNonce(), now())).toBe('fresh');
    expect(epochs).toHaveLength(1);
  });

  it('is detected with the state of an earlier release, which counted no evictions', async () => {
    await redis.config('RESETSTAT');
    const store = await openStore();
    const nonce = newNonce();
    expect(await store.use(CLIENT, nonce, now())).toBe('fresh');
    await redis.hdel(`${PREFIX}:nonces:epoch`, 'evicted');
    expect(await store.use(CLIENT, nonce, now())).toBe('reused');
    await evict(nonce);
    await redis.hdel(`${PREFIX}:nonces:epoch`, 'evicted');
    expect(await store.use(CLIENT, nonce, now())).toBe('before-epoch');
  });
});

describe('a Redis that evicts', () => {
  const demand = (nodeEnv: 'production' | 'development') =>
    requireRedis({ redisUrl: server.url, nodeEnv }, logger);

  it.each(['allkeys-lru', 'volatile-ttl'])(
    'with %s is refused by name in production, and a warning elsewhere',
    async (policy) => {
      await redis.config('SET', 'maxmemory-policy', policy);
      await expect(demand('production')).rejects.toThrow(
        `Redis has the maxmemory-policy ${policy}, with which it loses nonces and jobs when its memory is full. Set maxmemory-policy to noeviction.`,
      );
      await demand('development');
      expect(lines.join()).toContain(policy);
    },
  );

  it('is detected without CONFIG, which hosted Redis services often forbid', async () => {
    await redis.call('ACL', 'SETUSER', 'default', '-config');
    try {
      await expect(demand('production')).resolves.toBeUndefined();
    } finally {
      await redis.call('ACL', 'SETUSER', 'default', '+config');
    }
    expect(lines).toEqual([]);
  });

  it('because its policy was changed at run time is reported once by log and metrics', async () => {
    const metrics = makeMetrics();
    const nonces = await openStore();
    const watch = makeRedisWatch(redis, { nonces, logger, metrics });
    const evicting = async () => (await metrics.redisEvicting.get()).values[0]?.value;
    await watch();
    expect({ lines, evicting: await evicting() }).toEqual({ lines: [], evicting: 0 });
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lfu');
    await watch();
    await watch();
    expect(lines.filter((line) => line.includes('allkeys-lfu'))).toHaveLength(1);
    expect(await evicting()).toBe(1);
    const nonce = newNonce();
    await nonces.use(CLIENT, nonce, now());
    await evict(nonce, 'allkeys-lfu');
    await watch();
    expect(epochs).toHaveLength(1);
    expect((await metrics.redisEvictedKeys.get()).values[0]?.value).toBeGreaterThan(0);
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    await watch();
    expect(await evicting()).toBe(0);
  });
});

it('a start waits for the primary when Redis is a replica', async () => {
  await redis.replicaof('127.0.0.1', 1);
  const starting = requireRedis({ redisUrl: server.url, nodeEnv: 'production' }, logger);
  await new Promise((done) => setTimeout(done, 200));
  await redis.replicaof('NO', 'ONE');
  await expect(starting).resolves.toBeUndefined();
});
