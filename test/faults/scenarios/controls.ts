import { setTimeout as sleep } from 'node:timers/promises';
import { makeBody } from '../../env/api/bodies.ts';
import { withRedis } from '../../env/servers/queue-faults.ts';
import { CLAIM } from '../checks/statements.ts';
import { untilSettled } from '../checks/stored-problems.ts';
import { deliver, type Entry } from '../round-report.ts';
import type { Scenario } from '../scenario.ts';
import type { World } from '../world.ts';
import { freeze } from './frozen.ts';
import { checkHistory, NOT_LINEARIZABLE, prepareHistories } from './one-cover/histories.ts';

// Each control scenario removes one protection of the registry, and the oracle must notice it; otherwise it proves nothing.
// Proxies change statements on the way to the database, so that the processes are the real ones.

const DEADLINE_MS = 8_000;

const constraintDropped: Scenario = {
  name: 'control-constraint-dropped',
  shapes: ['embedded'],
  rounds: { short: ['embedded'], full: 3 },
  mustFind: /share a day/,
  breaksWorld: true,
  deadlineMs: DEADLINE_MS,
  strike: async ({ world, load, note }) => {
    await dropConstraint(world);
    note('dropped');
    await load.done;
  },
};

const FOUND_MS_MAX = 60_000;
/**
 * All clients start with the same unregistered vehicles, so the first calls matter. Transmissions that meet doubled covers are
 * retried endlessly, and the clients do not wait for them.
 */
const SHORT_HISTORY = { callsEach: 4, timeoutMs: 3_000 };

/** The answers to the clients are enough to find the problem, without reading the tables. */
const constraintDroppedSeenByClients: Scenario = {
  name: 'control-constraint-dropped-histories',
  shapes: ['embedded'],
  rounds: { short: ['embedded'], full: 3 },
  certificates: 4,
  mustFind: new RegExp(NOT_LINEARIZABLE),
  breaksWorld: true,
  deadlineMs: DEADLINE_MS,
  strike: async (round) => {
    const { world, load, note } = round;
    await dropConstraint(world);
    await prepareHistories(world);
    await load.done;
    const since = performance.now();
    const isFound = () =>
      load.report.problems.some((problem) => problem.startsWith(NOT_LINEARIZABLE));
    while (!isFound() && performance.now() - since < FOUND_MS_MAX)
      await checkHistory(round, SHORT_HISTORY);
    note('ms until found', Math.round(performance.now() - since));
  },
};

/** Also replaces the function that checks reservations before the constraint does. */
async function dropConstraint({ db }: World): Promise<void> {
  await db.$executeRaw`ALTER TABLE vehicle_identifiers DROP CONSTRAINT vehicle_identifiers_one_cover`;
  await db.$executeRaw`
    CREATE OR REPLACE FUNCTION is_free(covered_by uuid[], covers daterange[], certificate uuid, days daterange)
    RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT true $$`;
}

const JOBS_MS_MAX = 15_000;
const POLL_INTERVAL_MS = 10;
const SWEEP_CONDITION = 'AND sweep_at <= now()';
const NEVER = 'AND false';

/** Without the sweeper, a transmission whose job is lost is never processed. */
const sweeperOff: Scenario = {
  name: 'control-sweeper-off',
  shapes: ['redis'],
  rounds: { short: ['redis'], full: 3 },
  certificates: 10,
  mustFind: /not terminal/,
  breaksWorld: true,
  deadlineMs: DEADLINE_MS,
  strike: async ({ world, load, note }) => {
    await Promise.all(world.workers.map((worker) => worker.kill()));
    const changed = { part: SWEEP_CONDITION, instead: NEVER };
    await Promise.all([1, 2].map(() => world.startWorker({ changed })));
    await load.done;
    await untilSettled(world);
    // A job whose transmission was already processed by another job still runs for a moment and may claim new transmissions.
    await untilJobs(world, (jobs) => jobs === 0);
    for (const worker of world.workers) worker.signal('SIGSTOP');
    const entry: Entry = { clientName: 'alpha', submission: { kind: 'CREATE', body: makeBody() } };
    load.report.entries.push(entry);
    await deliver(world, load.report, entry, 0);
    // The answer does not wait until the job is in the queue, and the job must be there to be lost.
    await untilJobs(world, (jobs) => jobs > 0);
    await world.redis?.flush();
    for (const worker of world.workers) worker.signal('SIGCONT');
    note('jobs lost');
  },
};

/** Polls until the number of waiting and running jobs meets the condition. */
async function untilJobs({ redis }: World, condition: (jobs: number) => boolean): Promise<void> {
  const endsAt = Date.now() + JOBS_MS_MAX;
  await withRedis(redis?.url ?? '', async (connection) => {
    for (;;) {
      const jobs = (await connection.keys('*:queue:*:t-*')).length;
      if (condition(jobs)) return;
      if (Date.now() > endsAt) throw new Error(`there are still ${jobs} jobs`);
      await sleep(POLL_INTERVAL_MS);
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
  breaksWorld: true,
  deadlineMs: DEADLINE_MS,
  strike: async (round) => {
    const changed = { part: FENCE_CONDITION, instead: '' };
    // The last protection behind the fence: a trigger refuses to change terminal transmissions.
    await round.world.db.$executeRaw`ALTER TABLE transmissions DISABLE TRIGGER USER`;
    await freeze(round, { statement: CLAIM, moment: 'answered' }, { changed });
  },
};

export const CONTROLS: readonly Scenario[] = [
  constraintDropped,
  constraintDroppedSeenByClients,
  sweeperOff,
  fencingRemoved,
];
