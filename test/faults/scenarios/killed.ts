import { setTimeout as sleep } from 'node:timers/promises';
import { makeBody } from '../../env/api/bodies.ts';
import { CLAIM } from '../checks/statements.ts';
import { findUnsettled, untilSettled } from '../checks/stored-problems.ts';
import { deliver, type Entry, externalIdOf } from '../round-report.ts';
import { BOTH, type Scenario, strikeRepeatedly } from '../scenario.ts';
import type { Point } from '../wire/watched-proxy.ts';
import type { World } from '../world.ts';

const IN_FLIGHT = 50;
const PILE_MS_MAX = 5_000;

/** SIGKILL, with many transmissions in flight. */
const workerKilled: Scenario = {
  name: 'worker-killed',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 20 },
  strikes: { short: 1, full: 5 },
  certificates: 300,
  strike: (round) =>
    strikeRepeatedly(round, async ({ world, random, note }) => {
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
    strikeRepeatedly(round, async ({ world, random, note }) => {
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
    strikeRepeatedly(round, async ({ world, random, note }) => {
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
    strikeRepeatedly(round, async ({ world, random, note }) => {
      await sleep(random.below(200));
      await Promise.all([world.api, ...world.workers].map((one) => one.kill()));
      note('kills', 3);
      note('in flight', (await findUnsettled(world.db)).inProgress);
      await world.restore();
    }),
};

/** Kills each worker that claims the transmission, several times; the next worker settles it. */
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
    load.report.entries.push(entry);
    await deliver(world, load.report, entry, 0);
    // The answer to the claim contains the reference.
    const point: Point = { statement: CLAIM, moment: 'answered', about: entry.reference };
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
    if (attempts !== strikes + 1) load.report.problems.push(`it was claimed ${attempts} times`);
  },
};

async function attemptsOf({ db }: World, entry: Entry): Promise<number> {
  const { attempts } = await db.transmission.findFirstOrThrow({
    where: { externalTransactionId: externalIdOf(entry) },
    select: { attempts: true },
  });
  return attempts;
}

/** Stops the workers until `count` transmissions are in progress, then continues them. Returns the number in progress. */
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
