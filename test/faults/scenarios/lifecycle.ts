import { setTimeout as sleep } from 'node:timers/promises';
import type { RegistryProcess } from '../processes.ts';
import { BOTH, type Round, type Scenario } from '../scenario.ts';
import { findUnsettled } from '../stored-flaws.ts';

const DOWN_MS = 2_500;

/** Processes that start while their servers are away wait for them, and serve when they come. */
function downAtBoot(
  name: string,
  server: 'database' | 'redis',
  shapes: Scenario['shapes'],
  short: Scenario['shapes'],
): Scenario {
  return {
    name,
    shapes,
    rounds: { short, full: 20 },
    strike: async ({ world, load, note }) => {
      await load.until(0.2);
      await Promise.all(world.workers.map((worker) => worker.kill()));
      const waiting = await Promise.all([1, 2].map(() => world.startWorker({ serversDown: true })));
      const others = waiting.map((one) => (server === 'database' ? one.redis : one.database));
      for (const proxy of others) await proxy?.up();
      await sleep(DOWN_MS);
      for (const one of waiting) {
        if (!one.isRunning) load.book.flaws.push(`a worker ended because the ${server} was away`);
        await one[server]?.up();
      }
      note('waited', waiting.filter(({ isRunning }) => isRunning).length);
      await Promise.all(waiting.map(({ ready }) => ready));
    },
  };
}

const EXIT_SECONDS_MAX = 15;

/** Told to end under load: every request that it has is answered, everything in hand is finished. */
const toldToEnd: Scenario = {
  name: 'told-to-end',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: 50 },
  certificates: 90,
  strike: async (round) => {
    const { world, random, load, note } = round;
    await load.until(0.2 + random.below(20) / 100);
    note('in flight', (await findUnsettled(world.db)).inProgress);
    await Promise.all([world.api, ...world.workers].map((one) => endInTime(round, one)));
    const abandoned = await world.db.transmission.count({ where: { status: 'VALIDATING' } });
    if (abandoned > 0) load.book.flaws.push(`${abandoned} were abandoned by workers told to end`);
    const unanswered = world.http.unanswered.length;
    if (unanswered > 0) {
      load.book.flaws.push(`${unanswered} requests got no answer: ${world.http.unanswered[0]}`);
    }
    await world.restore();
  },
};

async function endInTime({ load, note }: Round, one: RegistryProcess): Promise<void> {
  const since = Date.now();
  one.signal('SIGTERM');
  const { code } = await one.ended;
  const seconds = (Date.now() - since) / 1_000;
  note(`${one.role} ms`, Math.round(seconds * 1_000));
  if (code !== 0 || seconds > EXIT_SECONDS_MAX) {
    load.book.flaws.push(`${one.role}, told to end, ended with ${code} after ${seconds} s`);
  }
}

const SKEWS_SECONDS = [120, -120, 86_400, -86_400] as const;

/** A worker whose clock is wrong beside one whose clock is right: leases go by the database's clock. */
const clockSkew: Scenario = {
  name: 'clock-skew',
  shapes: BOTH,
  rounds: { short: [], full: 40 },
  strike: async ({ world, random, load, index, isFull, note }) => {
    await load.until(0.05);
    const [replaced] = world.workers;
    await replaced?.kill();
    const skewSeconds = isFull
      ? (SKEWS_SECONDS[index % SKEWS_SECONDS.length] ?? 0)
      : random.pick(SKEWS_SECONDS);
    const skewed = await world.startWorker({ skewSeconds });
    note(`${skewSeconds} s`);
    await load.done;
    await skewed.kill();
    await world.restore();
  },
};

export const LIFECYCLE: readonly Scenario[] = [
  downAtBoot('database-down-at-boot', 'database', BOTH, []),
  downAtBoot('redis-down-at-boot', 'redis', ['redis'], ['redis']),
  toldToEnd,
  clockSkew,
];
