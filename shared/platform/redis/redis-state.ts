import type { Redis } from 'ioredis';

/** Read from INFO, which managed services allow although they often forbid CONFIG. */
export interface RedisState {
  readonly isPrimary: boolean;
  /** Undefined when INFO does not contain it. */
  readonly maxmemoryPolicy: string | undefined;
  /** Keys evicted from all databases since the server started; undefined when INFO does not contain it. */
  readonly evictedKeys: number | undefined;
}

/** The only policy under which Redis refuses writes instead of evicting keys. */
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
 * The reason why the registry must not run on this Redis, with the name of the setting; undefined when it may. An evicting
 * Redis loses nonces, limits and jobs when its memory is full (D61).
 */
export function evictionProblem({ maxmemoryPolicy, evictedKeys }: RedisState): string | undefined {
  if (maxmemoryPolicy === undefined || evictedKeys === undefined) {
    return `The INFO of Redis lacks maxmemory_policy or evicted_keys: use a Redis that reports both, with maxmemory-policy ${NO_EVICTION}.`;
  }
  if (maxmemoryPolicy === NO_EVICTION) return undefined;
  return `Redis has the maxmemory-policy ${maxmemoryPolicy}, with which it loses nonces and jobs when its memory is full. Set maxmemory-policy to ${NO_EVICTION}.`;
}
