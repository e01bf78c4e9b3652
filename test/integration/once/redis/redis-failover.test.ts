import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { makeRedisLimits } from '../../../../api/auth/rate-limit.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';
import { connectRedis, type RedisRole } from '../../../../shared/platform/redis/redis.ts';
import { untilSeen } from '../../../env/server-timeouts.ts';
import { withRedis } from '../../../env/servers/queue-faults.ts';
import { type RedisPair, startRedisPair } from '../../../env/servers/redis-pair.ts';

const logger = makeLogger({ level: 'silent', name: 'test' });
let folder: string;
let pair: RedisPair;
const open: Redis[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'redis-failover-'));
  pair = await startRedisPair(folder);
});
afterEach(() => {
  for (const redis of open.splice(0)) redis.disconnect();
});
afterAll(async () => {
  await pair.stop();
  rmSync(folder, { recursive: true });
});

async function connect(role: RedisRole): Promise<Redis> {
  const redis = await connectRedis(pair.url, { role, logger });
  open.push(redis);
  return redis;
}

const writes = (redis: Redis) => (value: string) =>
  redis.set('key', value).catch((error: Error) => error.message);

describe('a connection whose server was demoted and stayed connected', () => {
  it('of a request fails once, and then writes to the new primary', async () => {
    const write = writes(await connect('fail-fast'));
    expect(await write('before')).toBe('OK');
    await pair.failOver();
    expect(await write('refused')).toMatch(/READONLY/);
    expect(
      await untilSeen(
        () => write('after'),
        (answer) => answer === 'OK',
      ),
    ).toBe('OK');
    expect(await withRedis(pair.primaryUrl, (redis) => redis.get('key'))).toBe('after');
  });

  it('of a request also recognizes it in the errors of scripts and of pipelined commands', async () => {
    const redis = await connect('fail-fast');
    await pair.failOver();
    const script = () =>
      redis
        .eval("return redis.call('SET', KEYS[1], '1')", 1, 'key')
        .catch((error: Error) => error.message);
    expect(await script()).toMatch(/READONLY/);
    expect(await untilSeen(script, (answer) => answer === 'OK')).toBe('OK');
    await pair.failOver();
    const pipelined = async () => {
      const replies = (await redis.pipeline().set('a', '1').set('b', '1').exec()) ?? [];
      return replies.map(([error, reply]) => error?.message ?? reply);
    };
    expect(await pipelined()).toEqual(Array(2).fill(expect.stringContaining('READONLY')));
    expect(await untilSeen(pipelined, ([answer]) => answer === 'OK')).toEqual(['OK', 'OK']);
  });

  it('of a worker sends a refused command to the new primary', async () => {
    const redis = await connect('queue-worker');
    await pair.failOver();
    expect(await redis.set('key', 'of a worker')).toBe('OK');
    expect(await withRedis(pair.primaryUrl, (other) => other.get('key'))).toBe('of a worker');
  });

  it('of a worker continues to wait at the new primary, also on a copy of the connection', async () => {
    const copy = (await connect('queue-worker')).duplicate();
    copy.on('error', () => undefined);
    open.push(copy);
    await copy.connect();
    const waiting = copy.blpop('list', 0);
    await pair.failOver();
    await withRedis(pair.primaryUrl, (redis) => redis.rpush('list', 'job'));
    expect(await waiting).toEqual(['list', 'job']);
  });
});

it('readiness detects a replica, although it answers reads', async () => {
  const redis = await connect('fail-fast');
  const limits = makeRedisLimits({ redis, keyPrefix: 'registry' });
  await limits.checkWritable();
  await withRedis(pair.primaryUrl, (primary) => primary.replicaof('127.0.0.1', 1));
  await expect(limits.checkWritable()).rejects.toThrow(/READONLY/);
  await withRedis(pair.primaryUrl, (primary) => primary.replicaof('NO', 'ONE'));
});

it('a server that stays a replica is contacted again after growing pauses', async () => {
  const redis = await connect('queue-worker');
  let connections = 0;
  redis.on('ready', () => {
    connections += 1;
  });
  await withRedis(pair.primaryUrl, async (primary) => {
    await primary.replicaof('127.0.0.1', 1);
    const waiting = redis.set('key', 'at last');
    await new Promise((done) => setTimeout(done, 2_000));
    // 50 ms, 100 ms and so on: without pauses it would be hundreds.
    expect(connections).toBeGreaterThan(1);
    expect(connections).toBeLessThan(12);
    await primary.replicaof('NO', 'ONE');
    expect(await waiting).toBe('OK');
  });
});
