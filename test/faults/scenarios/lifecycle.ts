import { setTimeout as sleep } from 'node:timers/promises';
import { findUnsettled } from '../flaws/stored-flaws.ts';
import { BOTH, inTurn, type Round, type Scenario } from '../scenario.ts';
import type { RegistryProcess } from '../servers/processes.ts';

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
          load.book.flaws.push(`the ${one.role} ended because the ${server} was away`);
        }
        await one[server]?.up();
      }
      note('waited', waiting.filter(({ isRunning }) => isRunning).length);
      await Promise.all(waiting.map(({ ready }) => ready));
    },
  };
}

/** Told to end under load: every request that it has is answered, everything in hand is finished. */
const toldToEnd: Scenario = {
  name: 'told-to-end',
  shapes: BOTH,
  rounds: { short: BOTH, full: 25 },
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

/** The same for workers that have just lost every connection. */
const toldToEndCutOff: Scenario = {
  name: 'told-to-end-cut-off',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 5 },
  strikes: { short: 2, full: 5 },
  brings: { serverErrors: true },
  strike: (round) =>
    inTurn(round, async ({ world, random }) => {
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
  // Not by itself: with another code, when the grace is over.
  if (code !== 0) {
    load.book.flaws.push(`${one.role}, told to end, ended with ${code} after ${seconds} s`);
  }
}

const SKEWS_SECONDS = [120, -120, 86_400, -86_400] as const;
/** The registry's own clock is the database's for leases, and each process's for dates, tokens and nonces. */
const SKEWED = ['worker', 'api'] as const;

/** One process whose clock is wrong beside others whose clocks are right. Clients follow the API's clock (D19). */
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
  toldToEnd,
  toldToEndCutOff,
  clockSkew,
];
