import { findServerBinary, type ServerBinary } from './debian-packages.ts';

/** redis-server of the PATH, else Debian's packages unpacked under .cache/. Throws with what to do when neither can be had. */
export function findRedisBinary(): ServerBinary {
  return findServerBinary({
    name: 'redis-server',
    path: 'usr/bin/redis-server',
    packages: ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'],
    remedy:
      'The tests need a Redis: install redis-server (7 or newer) so that it is on the PATH, or set REDIS_URL to one that may be written to.',
  });
}
