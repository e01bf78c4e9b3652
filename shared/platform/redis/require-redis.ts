import type { ServiceConfig } from '../config/config.ts';
import type { Logger } from '../logger.ts';
import { waitForRedis } from './redis.ts';
import { evictionProblem } from './redis-state.ts';

const REDIS_READY_MS_MAX = 60_000;

/**
 * Resolves when a primary answers at REDIS_URL, or at once if REDIS_URL is not set. Throws when none answers within a minute.
 * A Redis that may evict keys is an error in production and a warning elsewhere.
 */
export async function requireRedis(
  { redisUrl, nodeEnv }: Pick<ServiceConfig, 'redisUrl' | 'nodeEnv'>,
  logger: Logger,
): Promise<void> {
  if (redisUrl === undefined) return;
  const problem = evictionProblem(await waitForRedis(redisUrl, REDIS_READY_MS_MAX));
  if (problem === undefined) return;
  if (nodeEnv === 'production') throw new Error(problem);
  logger.warn({ problem }, 'this Redis is not fit for production');
}
