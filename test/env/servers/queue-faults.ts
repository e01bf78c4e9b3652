import { Redis } from 'ioredis';
import type { Db } from '../../../shared/db/prisma.ts';
import { QUEUE_SCHEMA } from '../../../shared/queue/migrate.ts';

/** The location of the queue of a registry under test. */
export interface QueueLocation {
  readonly db: Db;
  /** Undefined in the embedded shape. */
  readonly redisUrl: string | undefined;
  readonly redisPrefix: string;
}

/** Deletes all jobs and nothing else, as when Redis or the queue's tables are emptied. */
export async function emptyQueue({ db, redisUrl, redisPrefix }: QueueLocation): Promise<void> {
  if (redisUrl !== undefined) {
    await withRedis(redisUrl, async (redis) => {
      const keys = await redis.keys(`${redisPrefix}:queue:*`);
      if (keys.length > 0) await redis.del(...keys);
    });
    return;
  }
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname = ${QUEUE_SCHEMA} AND tablename ~ 'job'`;
  if (tables.length === 0) throw new Error('the queue has no tables');
  await db.$executeRawUnsafe(`TRUNCATE ${tables.map(({ name }) => name).join(', ')} CASCADE`);
}

/**
 * Makes only the queue unreachable while `work` runs: its schema is renamed or its keys are forbidden. With Redis the
 * registry must have its own server, because the keys are forbidden to all clients.
 */
export async function withoutQueue<Result>(
  { db, redisUrl, redisPrefix }: QueueLocation,
  work: () => Promise<Result>,
): Promise<Result> {
  const forbid = () =>
    redisUrl === undefined
      ? db.$executeRawUnsafe(`ALTER SCHEMA ${QUEUE_SCHEMA} RENAME TO ${QUEUE_SCHEMA}_away`)
      : setKeys(redisUrl, `~${redisPrefix}:nonces*`, `~${redisPrefix}:limits*`);
  const allow = () =>
    redisUrl === undefined
      ? db.$executeRawUnsafe(`ALTER SCHEMA ${QUEUE_SCHEMA}_away RENAME TO ${QUEUE_SCHEMA}`)
      : setKeys(redisUrl, '~*');
  await forbid();
  try {
    return await work();
  } finally {
    await allow();
  }
}

function setKeys(url: string, ...patterns: string[]): Promise<unknown> {
  return withRedis(url, (redis) =>
    redis.call('ACL', 'SETUSER', 'default', 'resetkeys', ...patterns),
  );
}

export async function withRedis<Result>(
  url: string,
  use: (redis: Redis) => Promise<Result>,
): Promise<Result> {
  const redis = new Redis(url);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}
