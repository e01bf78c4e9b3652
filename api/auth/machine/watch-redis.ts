import type { Redis } from 'ioredis';
import { redisWatched } from '../../../shared/platform/events.ts';
import {
  evictionProblem,
  NO_EVICTION,
  readRedisState,
} from '../../../shared/platform/redis/redis-state.ts';
import type { ApiContext } from '../../context.ts';

/** Between two looks; each costs Redis one INFO. */
export const REDIS_WATCH_INTERVAL_MS = 10_000;

/**
 * A pass that notices a changed maxmemory-policy, and lost nonces also when nobody sends. The guarantee against replays
 * does not rest on it: every use of a nonce looks for itself.
 */
export function makeRedisWatch(
  redis: Redis,
  { nonces, logger, metrics }: Pick<ApiContext, 'nonces' | 'logger' | 'metrics'>,
): () => Promise<void> {
  let latest: string | undefined;
  return async () => {
    const state = await readRedisState(redis);
    const problem = evictionProblem(state);
    const isNews = problem !== latest;
    latest = problem;
    redisWatched(
      { logger, metrics },
      {
        evictedKeys: state.evictedKeys ?? 0,
        isEvicting: state.maxmemoryPolicy !== NO_EVICTION,
        problem,
        isNews,
      },
    );
    await nonces.noticeLoss();
  };
}
