import { setTimeout as sleep } from 'node:timers/promises';
import { makeBody } from '../../env/api/bodies.ts';
import { deliver, type Entry, externalIdOf } from '../book.ts';
import { TAKE } from '../flaws/statements.ts';
import { findUnsettled, untilSettled } from '../flaws/stored-flaws.ts';
import { BOTH, inTurn, type Scenario } from '../scenario.ts';
import type { Point } from '../wire/watched-proxy.ts';
import type { World } from '../world.ts';

const IN_FLIGHT = 50;
const PILE_MS_MAX = 5_000;

/** With -9, with many in flight. */
const workerKilled: Scenario = {
  name: 'worker-killed',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 20 },
  strikes: { short: 1, full: 5 },
  certificates: 300,
  strike: (round) =>
    inTurn(round, async ({ world, random, note }) => {
      note('in flight', await pileUp(world, IN_FLIGHT));
      await sleep(random.below(120));
      const [victim] = world.workers;
      if (victim === undefined) throw new Error('no worker runs');
      await victim.kill();
      note('kills');
      await world.startWorker();
    }),
};

const everyWorkerKilled: Scenario = {
  name: 'every-worker-killed',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: 5 },
  strikes: { short: 1, full: 5 },
  certificates: 300,
  strike: (round) =>
    inTurn(round, async ({ world, random, note }) => {
      note('in flight', await pileUp(world, IN_FLIGHT));
      await sleep(random.below(120));
      note('kills', world.workers.length);
      await Promise.all(world.workers.map((worker) => worker.kill()));
      await world.restore();
    }),
};

const apiKilled: Scenario = {
  name: 'api-killed',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 20 },
  strikes: { short: 1, full: 5 },
  certificates: 150,
  strike: (round) =>
    inTurn(round, async ({ world, random, note }) => {
      await sleep(random.below(200));
      const before = world.http.unanswered.length;
      await world.api.kill();
      note('kills');
      note('unanswered', world.http.unanswered.length - before);
      await world.startApi();
    }),
};

const everythingKilled: Scenario = {
  name: 'everything-killed',
  shapes: BOTH,
  rounds: { short: [], full: 5 },
  strikes: { short: 1, full: 2 },
  certificates: 100,
  strike: (round) =>
    inTurn(round, async ({ world, random, note }) => {
      await sleep(random.below(200));
      await Promise.all([world.api, ...world.workers].map((one) => one.kill()));
      note('kills', 3);
      note('in flight', (await findUnsettled(world.db)).inProgress);
      await world.restore();
    }),
};

/** Whoever takes this transmission dies at once, again and again; the next one settles it. */
const sameJobKilled: Scenario = {
  name: 'same-job-killed',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: 10 },
  strikes: { short: 3, full: 10 },
  certificates: 4,
  strike: async ({ world, load, strikes, note }) => {
    await load.done;
    await untilSettled(world);
    await Promise.all(world.workers.map((worker) => worker.kill()));
    const entry: Entry = { clientName: 'alpha', submission: { kind: 'CREATE', body: makeBody() } };
    load.book.entries.push(entry);
    await deliver(world, load.book, entry, 0);
    // Who takes it is answered with its reference.
    const point: Point = { statement: TAKE, moment: 'answered', about: entry.reference };
    const starting: Promise<unknown>[] = [];
    for (let killed = 0; killed < strikes; killed += 1) {
      const taken = world.stopAt('worker', point);
      starting.push(killed === 0 ? world.restore() : world.startWorker());
      const { victim } = await taken;
      await victim.kill();
      note('kills');
    }
    await Promise.all([...starting, world.startWorker()]);
    await untilSettled(world);
    const attempts = await attemptsOf(world, entry);
    if (attempts !== strikes + 1) load.book.flaws.push(`it was taken ${attempts} times`);
  },
};

async function attemptsOf({ db }: World, entry: Entry): Promise<number> {
  const { attempts } = await db.transmission.findFirstOrThrow({
    where: { externalTransactionId: externalIdOf(entry) },
    select: { attempts: true },
  });
  return attempts;
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
