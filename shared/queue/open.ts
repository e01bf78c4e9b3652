import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import type { ServiceConfig } from '../platform/config/config.ts';
import type { Logger } from '../platform/logger.ts';
import { connectRedis } from '../platform/redis/redis.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import type { QueuePlace } from './backend.ts';
import {
  type CompletionPublisher,
  type CompletionSubscription,
  postgresPublisher,
  redisPublisher,
  subscribePostgres,
  subscribeRedis,
} from './completions.ts';
import { type Consumer, type ConsumerOptions, openConsumer } from './consumer.ts';
import { ImportJobData, importQueueName, JobData } from './job.ts';
import { openQueuePool } from './postgres-pool.ts';
import { openProducer, type Producer } from './producer.ts';

type Config = Pick<
  ServiceConfig,
  'databaseUrl' | 'databaseDirectUrl' | 'redisUrl' | 'redisPrefix' | 'queueName'
>;

/** A pool waits for a connection that it is restoring, up to a longer limit. The server closes it when the process ends. */
const POOL_END_MS_MAX = 1_000;

type ProcessOptions<Data> = Pick<ConsumerOptions<Data>, 'concurrency' | 'process'>;

/** Producer, consumers and completion notices in the configured shape (D1). */
export interface QueueAccess {
  producer(): Promise<Producer>;
  /** Consumes jobs of transmissions. */
  consumer(options: ProcessOptions<JobData>): Promise<Consumer>;
  /** Consumes jobs of imports of reference data. */
  importConsumer(options: ProcessOptions<ImportJobData>): Promise<Consumer>;
  publisher(): Promise<CompletionPublisher>;
  subscribe(onSettled: (ids: readonly string[]) => void): Promise<CompletionSubscription>;
  /** Closes the connections. Close the objects that use them first. */
  close(): Promise<void>;
}

export function openQueueAccess(config: Config, logger: Logger, name: string): QueueAccess {
  const onError = (error: Error) => logger.warn({ reason: error.message }, 'queue trouble');
  const { redisUrl, redisPrefix, queueName } = config;
  // LISTEN and BullMQ need sessions that last longer than a statement, which a pooler doesn't offer.
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl;
  const connections: Redis[] = [];
  const pools: Pool[] = [];
  let subscriber: Redis | undefined;
  const connect = async (role: 'queue-worker' | 'subscriber' | 'fail-fast') => {
    if (redisUrl === undefined) throw new Error('this shape has no Redis');
    const redis = await connectRedis(redisUrl, { role, logger, name: `${name}-${role}` });
    connections.push(redis);
    return redis;
  };
  const place = async (role: 'queue-worker' | 'fail-fast'): Promise<QueuePlace> => {
    if (redisUrl !== undefined)
      return { kind: 'redis', redis: await connect(role), prefix: redisPrefix };
    const pool = openQueuePool(databaseUrl);
    pools.push(pool);
    return { kind: 'postgres', pool };
  };
  return {
    producer: async () => {
      const at = await place('fail-fast');
      // After a failover a subscriber may stay connected to a server at which nobody publishes. A connection that sends commands notices.
      if (at.kind === 'redis') at.redis.on('ready', () => subscriber?.disconnect(true));
      return openProducer(queueName, at, onError);
    },
    consumer: async (options) =>
      openConsumer(queueName, await place('queue-worker'), {
        ...options,
        schema: JobData,
        onError,
      }),
    importConsumer: async (options) =>
      openConsumer(importQueueName(queueName), await place('queue-worker'), {
        ...options,
        schema: ImportJobData,
        onError,
      }),
    publisher: async () =>
      redisUrl === undefined
        ? postgresPublisher(databaseUrl, onError)
        : redisPublisher(await connect('fail-fast'), redisPrefix),
    subscribe: async (onSettled) => {
      if (redisUrl === undefined) return subscribePostgres(databaseUrl, onSettled, onError);
      subscriber = await connect('subscriber');
      return subscribeRedis(subscriber, redisPrefix, onSettled);
    },
    close: async () => {
      for (const redis of connections) redis.disconnect();
      const ended = pools.map((pool) => withTimeout(POOL_END_MS_MAX, pool.end()));
      for (const { status } of await Promise.allSettled(ended))
        if (status === 'rejected') logger.warn('connections of the queue did not end in time');
    },
  };
}
