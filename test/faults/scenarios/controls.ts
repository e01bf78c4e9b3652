import { setTimeout as sleep } from 'node:timers/promises';
import { makeBody } from '../../env/api/bodies.ts';
import { withRedis } from '../../env/servers/queue-faults.ts';
import { deliver, type Entry } from '../book.ts';
import { TAKE } from '../flaws/statements.ts';
import { untilSettled } from '../flaws/stored-flaws.ts';
import type { Scenario } from '../scenario.ts';
import type { World } from '../world.ts';
import { freeze } from './frozen.ts';
import { checkHistory, NOT_LINEARIZABLE, prepareHistories } from './one-cover/histories.ts';

// What protects the registry is taken away, one thing at a time: an oracle that sees nothing then proves nothing.
// Statements are changed on their way to the database, so the processes are the real ones.

const DEADLINE_MS = 8_000;

const constraintDropped: Scenario = {
  name: 'control-constraint-dropped',
  shapes: ['embedded'],
  rounds: { short: ['embedded'], full: 3 },
  mustFind: /share a day/,
  spoilsWorld: true,
  deadlineMs: DEADLINE_MS,
  strike: async ({ world, load, note }) => {
    await dropConstraint(world);
    note('dropped');
    await load.done;
  },
};

const FOUND_MS_MAX = 60_000;
/**
 * All clients begin with the same unknown vehicles: the first calls are what counts. What
 * meets the doubled covers is tried again and again, and nobody waits for it.
 */
const SHORT_HISTORY = { callsEach: 4, patienceMs: 3_000 };

/** What the clients were told is enough to see it, without a look at the tables. */
const constraintDroppedSeenByClients: Scenario = {
  name: 'control-constraint-dropped-histories',
  shapes: ['embedded'],
  rounds: { short: ['embedded'], full: 3 },
  certificates: 4,
  mustFind: new RegExp(NOT_LINEARIZABLE),
  spoilsWorld: true,
  deadlineMs: DEADLINE_MS,
  strike: async (round) => {
    const { world, load, note } = round;
    await dropConstraint(world);
    await prepareHistories(world);
    await load.done;
    const since = performance.now();
    const isFound = () => load.book.flaws.some((flaw) => flaw.startsWith(NOT_LINEARIZABLE));
    while (!isFound() && performance.now() - since < FOUND_MS_MAX)
      await checkHistory(round, SHORT_HISTORY);
    note('ms until found', Math.round(performance.now() - since));
  },
};

/** With what claims go by before they come to the constraint. */
async function dropConstraint({ db }: World): Promise<void> {
  await db.$executeRaw`ALTER TABLE vehicle_identifiers DROP CONSTRAINT vehicle_identifiers_one_cover`;
  await db.$executeRaw`
    CREATE OR REPLACE FUNCTION is_free(covered_by uuid[], covers daterange[], certificate uuid, days daterange)
    RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT true $$`;
}

const JOBS_MS_MAX = 15_000;
const LOOK_EVERY_MS = 10;
const SWEEP_CONDITION = 'AND sweep_at <= now()';
const NEVER = 'AND false';

/** Nothing finds what lost its wake-up. */
const sweeperOff: Scenario = {
  name: 'control-sweeper-off',
  shapes: ['redis'],
  rounds: { short: ['redis'], full: 3 },
  certificates: 10,
  mustFind: /not terminal/,
  spoilsWorld: true,
  deadlineMs: DEADLINE_MS,
  strike: async ({ world, load, note }) => {
    await Promise.all(world.workers.map((worker) => worker.kill()));
    const changed = { part: SWEEP_CONDITION, instead: NEVER };
    await Promise.all([1, 2].map(() => world.startWorker({ changed })));
    await load.done;
    await untilSettled(world);
    // A job whose transmission another one took along is in hand for a moment longer, and takes along what comes meanwhile.
    await untilJobs(world, (jobs) => jobs === 0);
    for (const worker of world.workers) worker.signal('SIGSTOP');
    const entry: Entry = { clientName: 'alpha', submission: { kind: 'CREATE', body: makeBody() } };
    load.book.entries.push(entry);
    await deliver(world, load.book, entry, 0);
    // The answer doesn't wait for the wake-up, which is to be lost, not late.
    await untilJobs(world, (jobs) => jobs > 0);
    await world.redis?.flush();
    for (const worker of world.workers) worker.signal('SIGCONT');
    note('jobs lost');
  },
};

/** Returns when so many jobs wait or are in hand. */
async function untilJobs({ redis }: World, isIt: (jobs: number) => boolean): Promise<void> {
  const endsAt = Date.now() + JOBS_MS_MAX;
  await withRedis(redis?.url ?? '', async (connection) => {
    for (;;) {
      const jobs = (await connection.keys('*:queue:*:t-*')).length;
      if (isIt(jobs)) return;
      if (Date.now() > endsAt) throw new Error(`there are still ${jobs} jobs`);
      await sleep(LOOK_EVERY_MS);
    }
  });
}

/** Without this condition a worker commits although another worker has claimed the transmission. */
const FENCE_CONDITION = "AND CASE WHEN status = 'VALIDATING' THEN fence::text END = read.revision";

const fencingRemoved: Scenario = {
  name: 'control-fencing-removed',
  shapes: ['embedded'],
  rounds: { short: ['embedded'], full: 3 },
  certificates: 200,
  mustFind: /late writer|was answered|not the first answer|other than once/,
  spoilsWorld: true,
  deadlineMs: DEADLINE_MS,
  strike: async (round) => {
    const changed = { part: FENCE_CONDITION, instead: '' };
    // The last line behind the fence: the database refuses to change what is terminal.
    await round.world.db.$executeRaw`ALTER TABLE transmissions DISABLE TRIGGER USER`;
    await freeze(round, { statement: TAKE, moment: 'answered' }, { changed });
  },
};

export const CONTROLS: readonly Scenario[] = [
  constraintDropped,
  constraintDroppedSeenByClients,
  sweeperOff,
  fencingRemoved,
];
