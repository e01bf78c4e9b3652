import { setTimeout as sleep } from 'node:timers/promises';
import { findUnsettled } from '../checks/stored-problems.ts';
import { BOTH, type Round, type Scenario, strikeRepeatedly } from '../scenario.ts';
import type { RegistryProcess } from '../servers/processes.ts';

const DOWN_MS = 2_500;

/** Processes that start while a server is down wait for it, and become ready when it is up. */
function downAtBoot(
  name: string,
  server: 'database' | 'redis',
  shapes: Scenario['shapes'],
  short: Scenario['shapes'],
): Scenario {
  return {
    name,
    shapes,
    rounds: { short, full: 20 / shapes.length },
    strike: async ({ world, load, note }) => {
      await load.until(0.2);
      await Promise.all([world.api, ...world.workers].map((one) => one.kill()));
      const down = { serversDown: true };
      const waiting = await Promise.all([
        world.startApi(down),
        ...[1, 2].map(() => world.startWorker(down)),
      ]);
      const others = waiting.map((one) => (server === 'database' ? one.redis : one.database));
      for (const proxy of others) await proxy?.up();
      await sleep(DOWN_MS);
      for (const one of waiting) {
        if (!one.isRunning) {
          load.report.problems.push(`the ${one.role} ended because the ${server} was down`);
        }
        await one[server]?.up();
      }
      note('waited', waiting.filter(({ isRunning }) => isRunning).length);
      await Promise.all(waiting.map(({ ready }) => ready));
    },
  };
}

/** SIGTERM under load: the API answers every request that it has, and workers finish everything in flight. */
const shutdownUnderLoad: Scenario = {
  name: 'shutdown-under-load',
  shapes: BOTH,
  rounds: { short: BOTH, full: 25 },
  certificates: 90,
  strike: async (round) => {
    const { world, random, load, note } = round;
    await load.until(0.2 + random.below(20) / 100);
    note('in flight', (await findUnsettled(world.db)).inProgress);
    await Promise.all([world.api, ...world.workers].map((one) => endInTime(round, one)));
    const abandoned = await world.db.transmission.count({ where: { status: 'VALIDATING' } });
    if (abandoned > 0)
      load.report.problems.push(`${abandoned} were abandoned by workers that shut down`);
    const unanswered = world.http.unanswered.length;
    if (unanswered > 0) {
      load.report.problems.push(
        `${unanswered} requests got no answer: ${world.http.unanswered[0]}`,
      );
    }
    await world.restore();
  },
};

/** The same for workers that have just lost all connections. */
const shutdownWithoutConnections: Scenario = {
  name: 'shutdown-without-connections',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 5 },
  strikes: { short: 2, full: 5 },
  allows: { serverErrors: true },
  strike: (round) =>
    strikeRepeatedly(round, async ({ world, random }) => {
      for (const { database, redis } of world.workers) {
        database.resetAll();
        redis?.resetAll();
      }
      await sleep(random.below(300));
      await Promise.all(world.workers.map((one) => endInTime(round, one)));
      await world.restore();
    }),
};

async function endInTime({ load, note }: Round, one: RegistryProcess): Promise<void> {
  const since = Date.now();
  one.signal('SIGTERM');
  const { code } = await one.ended;
  const seconds = (Date.now() - since) / 1_000;
  note(`${one.role} ms`, Math.round(seconds * 1_000));
  // Another code means that the process did not finish within its grace period.
  if (code !== 0) {
    load.report.problems.push(`${one.role} ended with ${code}, ${seconds} s after SIGTERM`);
  }
}

const SKEWS_SECONDS = [120, -120, 86_400, -86_400] as const;
/** Leases use the clock of the database; dates, tokens and nonces use the clock of each process. */
const SKEWED = ['worker', 'api'] as const;

/** One process has a wrong clock; the others are correct. Clients follow the API's clock (D19). */
const clockSkew: Scenario = {
  name: 'clock-skew',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: SKEWS_SECONDS.length * SKEWED.length },
  strike: async ({ world, random, load, index, isFull, note }) => {
    await load.until(0.05);
    const at = isFull ? index : random.below(SKEWS_SECONDS.length * SKEWED.length);
    const role = SKEWED[at % SKEWED.length] ?? 'worker';
    const skewSeconds = SKEWS_SECONDS[Math.floor(at / SKEWED.length)] ?? 0;
    const replaced = role === 'api' ? world.api : world.workers[0];
    await replaced?.kill();
    const skewed = await (role === 'api' ? world.startApi : world.startWorker)({ skewSeconds });
    note(`${role} ${skewSeconds} s`);
    await load.done;
    await skewed.kill();
    await world.restore();
  },
};

export const LIFECYCLE: readonly Scenario[] = [
  downAtBoot('database-down-at-boot', 'database', BOTH, ['embedded']),
  downAtBoot('redis-down-at-boot', 'redis', ['redis'], ['redis']),
  shutdownUnderLoad,
  shutdownWithoutConnections,
  clockSkew,
];
