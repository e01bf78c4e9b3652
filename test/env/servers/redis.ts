import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort } from '../../../ops/embedded-postgres/free-port.ts';
import { waitForRedis } from '../../../shared/platform/redis/redis.ts';
import { TIMEOUT_MS } from '../server-timeouts.ts';
import { findRedisBinary } from './redis-binary.ts';

export interface RedisServer {
  readonly url: string;
  /** Stops the server without saving. */
  stop(): Promise<void>;
}

export interface TestRedis {
  readonly url: string;
  /** Prefix of every key of this test file. */
  readonly prefix: string;
  /** Deletes every key of this test file, as after a loss of data. */
  empty(): Promise<void>;
  drop(): Promise<void>;
}

/** Passed to the processes of the test run through their environment. */
const TEST_URL = 'TEST_REDIS_URL';

/** Uses REDIS_URL if it is set, otherwise starts a server for this run. */
export async function startTestRedis(folder: string): Promise<RedisServer> {
  const given = process.env['REDIS_URL'];
  if (given === undefined || given === '') {
    const server = await startRedisServer(folder);
    process.env[TEST_URL] = server.url;
    return server;
  }
  await waitForRedis(given, TIMEOUT_MS);
  process.env[TEST_URL] = given;
  return { url: given, stop: async () => undefined };
}

/** Starts a Redis on 127.0.0.1, by default on a free port, that never evicts keys and writes nothing to disk. */
export async function startRedisServer(folder: string, fixedPort?: number): Promise<RedisServer> {
  const { path, libraries } = findRedisBinary();
  const home = join(folder, 'redis');
  mkdirSync(home, { recursive: true });
  const port = fixedPort ?? (await findFreePort());
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir: home,
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    pidfile: join(home, 'redis.pid'),
    logfile: join(home, 'redis.log'),
  };
  const server = spawn(
    path,
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    {
      stdio: 'ignore',
      env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') },
    },
  );
  const ended = new Promise<void>((done) => {
    server.on('exit', () => done());
    server.on('error', () => done());
  });
  const url = `redis://127.0.0.1:${port}`;
  await waitForRedis(url, TIMEOUT_MS);
  return {
    url,
    stop: async () => {
      server.kill('SIGKILL');
      await ended;
    },
  };
}

/** A key prefix for one test file, so that the server can be shared. */
export async function makeTestRedis(): Promise<TestRedis> {
  const url = process.env[TEST_URL];
  if (url === undefined)
    throw new Error(
      'no test Redis: this test must be in a project with a global setup (jest.config.js)',
    );
  const prefix = `test-${randomUUID()}`;
  const redis = new Redis(url);
  const empty = async () => {
    for await (const keys of redis.scanStream({ match: `*${prefix}*`, count: 1_000 })) {
      if (keys.length > 0) await redis.unlink(...(keys as string[]));
    }
  };
  return {
    url,
    prefix,
    empty,
    drop: async () => {
      await empty();
      await redis.quit();
    },
  };
}
