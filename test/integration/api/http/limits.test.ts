import type { Redis } from 'ioredis';
import {
  type LimitState,
  type Limits,
  makePostgresLimits,
  makeRedisLimits,
} from '../../../../api/auth/rate-limit.ts';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { withClient } from '../../../../shared/db/with-client.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';
import { connectRedis } from '../../../../shared/platform/redis/redis.ts';
import { pruneRateLimits } from '../../../../shared/store/access/rate-limits.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';
import { makeTestRedis, type TestRedis } from '../../../env/servers/redis.ts';
import { currentShape } from '../../../env/shape.ts';

let database: TestDatabase;
let db: Db;
let testRedis: TestRedis | undefined;
let redis: Redis | undefined;

beforeEach(async () => {
  database = await makeTestDatabase();
  db = openDb({ databaseUrl: database.url, poolMax: 4, applicationName: 'test' });
  if (currentShape() === 'embedded') return;
  testRedis = await makeTestRedis();
  const logger = makeLogger({ level: 'silent', name: 'test' });
  redis = await connectRedis(testRedis.url, { role: 'fail-fast', logger });
});
afterEach(async () => {
  redis?.disconnect();
  await testRedis?.drop();
  await db.$disconnect();
  await database.drop();
});

function openLimits(): Limits {
  if (redis === undefined || testRedis === undefined) return makePostgresLimits({ db });
  return makeRedisLimits({ redis, keyPrefix: testRedis.prefix });
}

const CLIENT = { apiClientId: '00000000-0000-0000-0000-000000000001', rateLimitPerMinute: 5 };

describe('the quota of a client', () => {
  it('is shared by all processes and exact under concurrency', async () => {
    const [first, second] = [openLimits(), openLimits()];
    const states = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? first : second).takeClient(CLIENT)),
    );
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(5);
  });

  it('is independent of other clients, and an increase takes effect at once', async () => {
    const limits = openLimits();
    for (let count = 0; count < 5; count += 1) await limits.takeClient(CLIENT);
    expect((await limits.takeClient(CLIENT)).allowed).toBe(false);
    expect((await limits.takeClient({ ...CLIENT, apiClientId: 'other' })).allowed).toBe(true);
    expect((await limits.takeClient({ ...CLIENT, rateLimitPerMinute: 10 })).allowed).toBe(true);
  });

  it('admits no request while the store is out of reach', async () => {
    const limits = openLimits();
    if (redis === undefined)
      await withClient(database.ownerUrl, 'test', (client) =>
        client.query('DROP TABLE rate_limits'),
      );
    else redis.disconnect();
    await expect(limits.takeClient(CLIENT)).rejects.toThrow();
    await expect(limits.takeTokenRequest('198.51.100.1')).rejects.toThrow();
    await expect(limits.takeSignIn('198.51.100.1')).rejects.toThrow();
  });
});

it('expired windows are pruned in bounded passes, and open ones are kept', async () => {
  await db.$executeRaw`INSERT INTO rate_limits (key, points, expire) VALUES ('a', 1, 1), ('b', 1, 2), ('c', 1, 9000000000000)`;
  expect(await pruneRateLimits(db, new Date(), 1)).toBe(1);
  expect(await pruneRateLimits(db, new Date(), 10)).toBe(1);
  expect(await pruneRateLimits(db, new Date(), 10)).toBe(0);
});

describe('a limit by address', () => {
  const OF_ONE_NETWORK = Array.from({ length: 21 }, (_, host) => `2001:db8:1:2::${host + 1}`);

  it('counts the addresses of an IPv6 /64 network together, because one host can use all of them', async () => {
    const limits = openLimits();
    const count = async (take: (address: string) => Promise<LimitState>) => {
      const states = await Promise.all(OF_ONE_NETWORK.map(take));
      return states.filter(({ allowed }) => allowed).length;
    };
    expect(await count((address) => limits.takeTokenRequest(address))).toBe(20);
    expect(await count((address) => limits.takeSignIn(address))).toBe(10);
    expect((await limits.takeTokenRequest('2001:db8:1:3::1')).allowed).toBe(true);
    expect((await limits.takeSignIn('2001:db8:1:3::1')).allowed).toBe(true);
  });
});
