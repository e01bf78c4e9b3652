import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../../shared/platform/with-client.ts';
import type { Shape } from '../../env/shape.ts';
import { BOTH, type Round, type Scenario } from '../scenario.ts';
import type { RedisUnderFault } from '../servers.ts';

/** The whole server ends without a checkpoint and is started again a moment later. */
function postgresKilled(
  name: string,
  signal: 'SIGQUIT' | 'SIGKILL',
  short: readonly Shape[],
): Scenario {
  return {
    name,
    shapes: BOTH,
    rounds: { short, full: 15 },
    brings: { serverErrors: true },
    strike: async ({ world, random, load, note }) => {
      await load.until(0.1 + random.below(40) / 100);
      await world.postgres.crash(signal);
      note('crashes');
      await sleep(random.below(1_000));
      await world.postgres.start();
    },
  };
}

/** One of its processes is killed with -9: it cuts every connection and recovers from its log. */
const postgresCrashed: Scenario = {
  name: 'postgres-crashed',
  shapes: BOTH,
  rounds: { short: [], full: 10 },
  brings: { serverErrors: true },
  strike: async ({ world, random, load, note }) => {
    await load.until(0.1 + random.below(40) / 100);
    const pid = await withClient(world.databaseUrl, async (client) => {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'registry-worker' LIMIT 1`,
      );
      return rows[0]?.pid;
    });
    if (pid === undefined) throw new Error('no worker is connected');
    process.kill(pid, 'SIGKILL');
    note('crashes');
  },
};

/** Signals of a queue that is lost altogether: only the rows know what is to be done. */
const queueLost: Scenario = {
  name: 'queue-lost',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: 50 },
  strike: async ({ world, random, load, note }) => {
    await load.until(0.1 + random.below(40) / 100);
    await world.loseQueue();
    note('emptied');
  },
};

function redisScenario(
  name: string,
  { short, full }: Scenario['rounds'],
  brings: Scenario['brings'] & object,
  act: (redis: RedisUnderFault, round: Round) => Promise<void>,
): Scenario {
  return {
    name,
    shapes: ['redis'],
    rounds: { short, full },
    brings,
    strike: async (round) => {
      const { redis } = round.world;
      if (redis === undefined) throw new Error('this shape has no Redis');
      await round.load.until(0.1 + round.random.below(40) / 100);
      await act(redis, round);
      round.note('hits');
    },
  };
}

const FULL_MS = 1_500;

export const SERVERS: readonly Scenario[] = [
  postgresKilled('postgres-stopped-at-once', 'SIGQUIT', ['embedded']),
  postgresKilled('postgres-killed', 'SIGKILL', []),
  postgresCrashed,
  queueLost,
  // Nothing is out of reach, so nothing may fail; requests signed before the loss are refused (D19).
  redisScenario('redis-flushed', { short: ['redis'], full: 50 }, {}, (redis) => redis.flush()),
  redisScenario(
    'redis-restarted',
    { short: ['redis'], full: 30 },
    { serverErrors: true },
    (redis) => redis.restart(),
  ),
  redisScenario(
    'redis-clients-killed',
    { short: ['redis'], full: 30 },
    { serverErrors: true },
    async (redis, { random }) => {
      for (let volley = 0; volley < 3; volley += 1) {
        await redis.killClients();
        await sleep(random.below(200));
      }
    },
  ),
  redisScenario('redis-full', { short: [], full: 10 }, { serverErrors: true }, async (redis) => {
    await redis.setFull(true);
    await sleep(FULL_MS);
    await redis.setFull(false);
  }),
];
