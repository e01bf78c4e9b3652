import { setTimeout as sleep } from 'node:timers/promises';
import { makeBody } from '../../env/bodies.ts';
import { deliver, type Entry, externalIdOf } from '../book.ts';
import type { Hold } from '../database-proxy.ts';
import type { RegistryProcess } from '../processes.ts';
import { BOTH, type Scenario } from '../scenario.ts';
import { TAKE } from '../statements.ts';
import { findUnsettled, untilSettled } from '../stored-flaws.ts';
import type { World } from '../world.ts';

const IN_FLIGHT = 50;
const PILE_MS_MAX = 5_000;

/** With -9, with many in flight. */
const workerKilled: Scenario = {
  name: 'worker-killed',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 200 },
  certificates: 120,
  strike: async ({ world, random, load, note }) => {
    await load.until(0.1);
    const inFlight = await pileUp(world, IN_FLIGHT);
    await sleep(random.below(120));
    const [victim] = world.workers;
    if (victim === undefined) throw new Error('no worker runs');
    await victim.kill();
    note('in flight', inFlight);
    await world.startWorker();
  },
};

const everyWorkerKilled: Scenario = {
  name: 'every-worker-killed',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: 50 },
  certificates: 120,
  strike: async ({ world, random, load, note }) => {
    await load.until(0.1);
    const inFlight = await pileUp(world, IN_FLIGHT);
    await sleep(random.below(120));
    await Promise.all(world.workers.map((worker) => worker.kill()));
    note('in flight', inFlight);
    await world.restore();
  },
};

const apiKilled: Scenario = {
  name: 'api-killed',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 200 },
  strike: async ({ world, random, load, note }) => {
    await load.until(0.1 + random.below(50) / 100);
    await world.api.kill();
    note('unanswered', world.http.unanswered.length);
    await world.startApi();
  },
};

const everythingKilled: Scenario = {
  name: 'everything-killed',
  shapes: BOTH,
  rounds: { short: [], full: 50 },
  strike: async ({ world, random, load, note }) => {
    await load.until(0.1 + random.below(50) / 100);
    await Promise.all([world.api, ...world.workers].map((one) => one.kill()));
    note('in flight', (await findUnsettled(world.db)).inProgress);
    await world.restore();
  },
};

const KILLS = { short: 3, full: 10 };

/** Whoever takes this transmission dies at once, again and again; the next one settles it. */
const sameJobKilled: Scenario = {
  name: 'same-job-killed',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: 20 },
  certificates: 4,
  strike: async ({ world, load, isFull, note }) => {
    await load.done;
    await untilSettled(world);
    await Promise.all(world.workers.map((worker) => worker.kill()));
    const body = makeBody();
    const entry: Entry = { clientName: 'alpha', submission: { kind: 'CREATE', body } };
    load.book.entries.push(entry);
    await deliver(world, load.book, entry, 0);
    const starting = [world.restore()];
    const kills = isFull ? KILLS.full : KILLS.short;
    await starting[0];
    for (let killed = 0; killed < kills; ) {
      const { victim, hold } = await firstToTake(world);
      if ((await attemptsOf(world, entry)) <= killed) {
        hold.release();
        continue;
      }
      await victim.kill();
      killed += 1;
      note('kills');
      starting.push(world.startWorker().then(() => undefined));
    }
    await Promise.all(starting);
  },
};

async function attemptsOf({ db }: World, entry: Entry): Promise<number> {
  const { attempts } = await db.transmission.findFirstOrThrow({
    where: { externalTransactionId: externalIdOf(entry) },
    select: { attempts: true },
  });
  return attempts;
}

/** The first worker that asks for transmissions to take, stopped before it knows which it has. */
async function firstToTake(world: World): Promise<{ victim: RegistryProcess; hold: Hold }> {
  const others = new AbortController();
  const held = world.workers.map(async (victim) => {
    const hold = await victim.database.hold({ statement: TAKE, moment: 'answered' }, others.signal);
    if (hold === undefined) throw new Error('nobody takes it');
    if (others.signal.aborted) hold.release();
    others.abort();
    return { victim, hold };
  });
  return Promise.any(held);
}

/** Stops the workers until so many are in progress, and lets them go on. Hands out how many there are. */
async function pileUp({ workers, db }: World, count: number): Promise<number> {
  for (const worker of workers) worker.signal('SIGSTOP');
  const endsAt = Date.now() + PILE_MS_MAX;
  let inProgress = 0;
  while (inProgress < count && Date.now() < endsAt) {
    ({ inProgress } = await findUnsettled(db));
    await sleep(20);
  }
  for (const worker of workers) worker.signal('SIGCONT');
  return inProgress;
}

export const KILLED: readonly Scenario[] = [
  workerKilled,
  everyWorkerKilled,
  apiKilled,
  everythingKilled,
  sameJobKilled,
];
