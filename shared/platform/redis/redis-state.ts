import type { Redis } from 'ioredis';

/** What a Redis says of itself in INFO, which is allowed where CONFIG often is not. */
export interface RedisState {
  readonly isPrimary: boolean;
  /** Undefined when it does not say. */
  readonly maxmemoryPolicy: string | undefined;
  /** Keys forgotten for want of memory since it started, of whatever database; undefined when it does not say. */
  readonly evictedKeys: number | undefined;
}

/** The only policy under which Redis refuses a write rather than forget what it holds. */
export const NO_EVICTION = 'noeviction';

export async function readRedisState(redis: Redis): Promise<RedisState> {
  const lines = (await redis.info()).split(/\r?\n/);
  const fieldOf = (name: string) =>
    lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
  const evicted = fieldOf('evicted_keys');
  return {
    isPrimary: fieldOf('role') !== 'slave',
    maxmemoryPolicy: fieldOf('maxmemory_policy'),
    evictedKeys: evicted === undefined ? undefined : Number(evicted),
  };
}

/**
 * Why a registry must not run on this Redis, naming the setting; undefined when nothing is wrong. An evicting Redis forgets
 * nonces, limits and jobs when its memory is full, whatever else it holds (D61).
 */
export function evictionProblem({ maxmemoryPolicy, evictedKeys }: RedisState): string | undefined {
  if (maxmemoryPolicy === undefined || evictedKeys === undefined) {
    return `Redis does not say in INFO what it evicts (maxmemory_policy, evicted_keys): use one that does, with maxmemory-policy ${NO_EVICTION}.`;
  }
  if (maxmemoryPolicy === NO_EVICTION) return undefined;
  return `Redis has the maxmemory-policy ${maxmemoryPolicy}, with which it forgets nonces and jobs when its memory is full. Set maxmemory-policy to ${NO_EVICTION}.`;
}
