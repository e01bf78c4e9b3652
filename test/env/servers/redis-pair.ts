import { join } from 'node:path';
import { startTcpProxy, type TcpProxy } from '../../faults/wire/tcp-proxy.ts';
import { untilSeen } from '../server-timeouts.ts';
import { withRedis } from './queue-faults.ts';
import { type RedisServer, startRedisServer } from './redis.ts';

/** A primary and its replica behind one address, which connects new clients to the primary and does not affect open connections. */
export interface RedisPair {
  /** The address of the proxy. */
  readonly url: string;
  /** The address of the primary without the proxy. */
  readonly primaryUrl: string;
  /** Swaps the roles of primary and replica. No connection is closed. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedisPair(folder: string): Promise<RedisPair> {
  const servers = await Promise.all(
    ['one', 'other'].map((name) => startRedisServer(join(folder, name))),
  );
  let [primary, replica] = servers as [RedisServer, RedisServer];
  await follow(replica, primary);
  const proxy: TcpProxy = await startTcpProxy(() => portOf(primary));
  return {
    url: `redis://127.0.0.1:${proxy.port}`,
    get primaryUrl() {
      return primary.url;
    },
    failOver: async () => {
      await swapRoles(primary, replica);
      [primary, replica] = [replica, primary];
    },
    stop: async () => {
      await proxy.close();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** The replica becomes the primary, and the primary its replica. Connections stay open. */
export async function swapRoles(primary: RedisServer, replica: RedisServer): Promise<void> {
  await withRedis(replica.url, (redis) => redis.replicaof('NO', 'ONE'));
  await follow(primary, replica);
}

/** Resolves when the replica has the data of the primary. */
export async function follow(replica: RedisServer, primary: RedisServer): Promise<void> {
  await withRedis(primary.url, (redis) => redis.config('SET', 'repl-diskless-sync-delay', '0'));
  await withRedis(replica.url, async (redis) => {
    await redis.replicaof('127.0.0.1', portOf(primary));
    const seen = await untilSeen(
      () => redis.info('replication'),
      (info) => info.includes('master_link_status:up'),
    );
    if (!seen.includes('master_link_status:up')) throw new Error(`no replication: ${seen}`);
  });
}

function portOf({ url }: RedisServer): number {
  return Number(new URL(url).port);
}
