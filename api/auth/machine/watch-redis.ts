import type { Redis } from 'ioredis';
import { redisWatched } from '../../../shared/platform/events.ts';
import {
  evictionProblem,
  NO_EVICTION,
  readRedisState,
} from '../../../shared/platform/redis/redis-state.ts';
import type { ApiContext } from '../../context.ts';

/** Each check costs Redis one INFO. */
export const REDIS_WATCH_INTERVAL_MS = 10_000;

/**
 * Makes a pass that reports a changed maxmemory-policy, and notices lost nonces even without requests. The protection against
 * replays does not depend on it: every use of a nonce checks for a loss itself.
 */
export function makeRedisWatch(
  redis: Redis,
  { nonces, logger, metrics }: Pick<ApiContext, 'nonces' | 'logger' | 'metrics'>,
): () => Promise<void> {
  let latest: string | undefined;
  return async () => {
    const state = await readRedisState(redis);
    const problem = evictionProblem(state);
    const hasChanged = problem !== latest;
    latest = problem;
    redisWatched(
      { logger, metrics },
      {
        evictedKeys: state.evictedKeys ?? 0,
        isEvicting: state.maxmemoryPolicy !== NO_EVICTION,
        problem,
        hasChanged,
      },
    );
    await nonces.noticeLoss();
  };
}
