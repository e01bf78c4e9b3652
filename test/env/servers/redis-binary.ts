import { findServerBinary, type ServerBinary } from './debian-packages.ts';

/** Finds redis-server on the PATH, or unpacks Debian's packages under .cache/. Throws with a remedy when neither is possible. */
export function findRedisBinary(): ServerBinary {
  return findServerBinary({
    name: 'redis-server',
    path: 'usr/bin/redis-server',
    packages: ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'],
    remedy:
      'The tests need a Redis: install redis-server (7 or newer) so that it is on the PATH, or set REDIS_URL to a server that the tests may write to.',
  });
}
