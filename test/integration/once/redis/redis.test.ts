import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { makeLogger } from '../../../../shared/platform/logger.ts';
import { connectRedis, waitForRedis } from '../../../../shared/platform/redis/redis.ts';
import { type RedisServer, startRedisServer } from '../../../env/servers/redis.ts';

const logger = makeLogger({ level: 'silent', name: 'test' });
let folder: string;
let server: RedisServer;
const open: Redis[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'redis-test-'));
  server = await startRedisServer(folder);
});
afterEach(async () => {
  for (const redis of open.splice(0)) redis.disconnect();
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function connect(role: 'queue-worker' | 'fail-fast'): Promise<Redis> {
  const redis = await connectRedis(server.url, { role, logger });
  open.push(redis);
  return redis;
}

async function restart(): Promise<void> {
  server = await startRedisServer(folder, Number(new URL(server.url).port));
}

describe('a fail-fast connection', () => {
  it('fails a command at once while Redis is down, and works again when it is up', async () => {
    const redis = await connect('fail-fast');
    await server.stop();
    await new Promise((closed) => redis.once('close', closed));
    await expect(redis.set('a', '1')).rejects.not.toThrow(/timed out/i);
    const ready = new Promise((done) => redis.once('ready', done));
    await restart();
    await ready;
    expect(await redis.set('a', '1')).toBe('OK');
  });

  it('gives up on a server that accepts a command and does not answer', async () => {
    const redis = await connect('fail-fast');
    const other = await connect('fail-fast');
    await other.call('CLIENT', 'PAUSE', '10000', 'ALL');
    await expect(redis.get('a')).rejects.toThrow(/timed out/i);
  });
});

describe('the connection of a worker', () => {
  it('sends a command from an outage when Redis is up again', async () => {
    const redis = await connect('queue-worker');
    await server.stop();
    await new Promise((closed) => redis.once('close', closed));
    const answer = redis.set('a', '1');
    await restart();
    expect(await answer).toBe('OK');
  });
});

describe('waiting for Redis', () => {
  it('returns when it answers', async () => {
    await expect(waitForRedis(server.url, 5_000)).resolves.toMatchObject({ isPrimary: true });
  });

  it('names the address and the remedy, without the password', async () => {
    const url = new URL(server.url);
    url.password = 'hunter2';
    await server.stop();
    const waiting = waitForRedis(url.href, 300);
    await expect(waiting).rejects.toThrow(`Redis at ${url.host} did not answer within 0.3 s`);
    await expect(waiting).rejects.not.toThrow(/hunter2/);
  });
});
