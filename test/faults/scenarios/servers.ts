import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../../shared/db/with-client.ts';
import type { Shape } from '../../env/shape.ts';
import { BOTH, type Round, type Scenario, strikeRepeatedly } from '../scenario.ts';
import type { RedisUnderFault } from '../servers/servers.ts';

/** The whole server ends without a checkpoint and is restarted a moment later. */
function postgresKilled(
  name: string,
  signal: 'SIGQUIT' | 'SIGKILL',
  short: readonly Shape[],
  strikes: Scenario['strikes'] & object,
): Scenario {
  return {
    name,
    shapes: BOTH,
    rounds: { short, full: 5 },
    strikes,
    certificates: 90,
    allows: { serverErrors: true },
    strike: (round) => strikeRepeatedly(round, () => crashPostgres(round, signal)),
  };
}

export async function crashPostgres(
  { world, random, note }: Round,
  signal: 'SIGQUIT' | 'SIGKILL',
): Promise<void> {
  await sleep(random.below(200));
  await world.postgres.crash(signal);
  note('crashes');
  await sleep(random.below(1_000));
  await world.postgres.start();
}

/** SIGKILL for one process of the server: PostgreSQL closes every connection and recovers from its log. */
const postgresCrashed: Scenario = {
  name: 'postgres-crashed',
  shapes: BOTH,
  rounds: { short: [], full: 5 },
  allows: { serverErrors: true },
  strike: async ({ world, random, load, note }) => {
    await load.until(0.1 + random.below(40) / 100);
    const pid = await withClient(world.databaseUrl, 'faults', async (client) => {
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

/** Deletes the whole queue, so that only the rows show the work that is left. */
const queueLost: Scenario = {
  name: 'queue-lost',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: 5 },
  strikes: { short: 1, full: 5 },
  certificates: 90,
  strike: (round) =>
    strikeRepeatedly(round, async ({ world, random, note }) => {
      await sleep(random.below(200));
      await world.loseQueue();
      note('emptied');
    }),
};

/** `full` is the number of rounds and of faults per round. */
function redisScenario(
  name: string,
  { short, full }: { readonly short: readonly Shape[]; readonly full: readonly [number, number] },
  allows: Scenario['allows'] & object,
  act: (redis: RedisUnderFault, round: Round) => Promise<void>,
): Scenario {
  return {
    name,
    shapes: ['redis'],
    rounds: { short, full: full[0] },
    strikes: { short: 1, full: full[1] },
    certificates: 90,
    allows,
    strike: (round) =>
      strikeRepeatedly(round, async ({ world: { redis }, random, note }) => {
        if (redis === undefined) throw new Error('this shape has no Redis');
        await sleep(random.below(200));
        await act(redis, round);
        note('hits');
      }),
  };
}

const FULL_MS = 1_500;

export const SERVERS: readonly Scenario[] = [
  postgresKilled('postgres-stopped-at-once', 'SIGQUIT', ['embedded'], { short: 1, full: 1 }),
  postgresKilled('postgres-killed', 'SIGKILL', [], { short: 1, full: 2 }),
  postgresCrashed,
  queueLost,
  // No server is unreachable, so no error is allowed; requests signed before the loss are refused (D19).
  redisScenario('redis-flushed', { short: ['redis'], full: [10, 5] }, {}, (redis) => redis.flush()),
  redisScenario(
    'redis-restarted',
    { short: ['redis'], full: [10, 3] },
    { serverErrors: true },
    (redis) => redis.restart(),
  ),
  redisScenario(
    'redis-clients-killed',
    { short: ['redis'], full: [10, 3] },
    { serverErrors: true },
    async (redis, { random }) => {
      for (let volley = 0; volley < 3; volley += 1) {
        await redis.killClients();
        await sleep(random.below(200));
      }
    },
  ),
  // Requests signed before it are refused (D19); each connection fails once and finds the new primary.
  redisScenario(
    'redis-failed-over',
    { short: ['redis'], full: [5, 2] },
    { serverErrors: true },
    (redis) => redis.failOver(),
  ),
  redisScenario(
    'redis-full',
    { short: [], full: [5, 2] },
    { serverErrors: true },
    async (redis) => {
      await redis.setFull(true);
      await sleep(FULL_MS);
      await redis.setFull(false);
    },
  ),
];
