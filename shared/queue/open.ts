import type { Redis } from 'ioredis';
import type { ServiceConfig } from '../platform/config/config.ts';
import type { Logger } from '../platform/logger.ts';
import { connectRedis } from '../platform/redis/redis.ts';
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
import { openProducer, type Producer } from './producer.ts';

type Config = Pick<
  ServiceConfig,
  'databaseUrl' | 'databaseDirectUrl' | 'redisUrl' | 'redisPrefix' | 'queueName'
>;

/** Connections of one queue object to PostgreSQL at most, beside the one that listens. */
const QUEUE_POOL_MAX = 2;

/** Producer, consumer and completion notices in the shape that the configuration asks for (D1). */
export interface QueueAccess {
  producer(): Promise<Producer>;
  consumer(options: Omit<ConsumerOptions, 'onError'>): Promise<Consumer>;
  publisher(): Promise<CompletionPublisher>;
  subscribe(onSettled: (ids: readonly string[]) => void): Promise<CompletionSubscription>;
  /** Closes the connections; close what was opened on them before. */
  close(): Promise<void>;
}

export function openQueueAccess(config: Config, logger: Logger, name: string): QueueAccess {
  const onError = (error: Error) => logger.warn({ reason: error.message }, 'queue trouble');
  const { redisUrl, redisPrefix, queueName } = config;
  // Notices and the library's own sessions outlast a statement, which a pooler does not allow.
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl;
  const connections: Redis[] = [];
  let subscriber: Redis | undefined;
  const connect = async (role: 'queue-worker' | 'subscriber' | 'fail-fast') => {
    if (redisUrl === undefined) throw new Error('this shape has no Redis');
    const redis = await connectRedis(redisUrl, { role, logger, name: `${name}-${role}` });
    connections.push(redis);
    return redis;
  };
  const place = async (role: 'queue-worker' | 'fail-fast'): Promise<QueuePlace> =>
    redisUrl === undefined
      ? { kind: 'postgres', databaseUrl, poolMax: QUEUE_POOL_MAX }
      : { kind: 'redis', redis: await connect(role), prefix: redisPrefix };
  return {
    producer: async () => {
      const at = await place('fail-fast');
      // A subscriber is not told when its server is no longer the one that workers publish at; who sends commands is.
      if (at.kind === 'redis') at.redis.on('ready', () => subscriber?.disconnect(true));
      return openProducer(queueName, at, onError);
    },
    consumer: async (options) =>
      openConsumer(queueName, await place('queue-worker'), { ...options, onError }),
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
    },
  };
}
