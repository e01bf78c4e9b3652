import { setTimeout as sleep } from 'node:timers/promises';

import { CHANGE_RECORD, CLAIM, REQUIRE_FENCE } from '../checks/statements.ts';
import { untilSettled } from '../checks/stored-problems.ts';

import { BOTH, type Round, type Scenario } from '../scenario.ts';
import type { RegistryProcess } from '../servers/processes.ts';
import type { Hold, Point } from '../wire/watched-proxy.ts';
import type { StartOptions, World } from '../world.ts';

/** Time for the late writer to write, if nothing prevents it. */
const LATE_MS = 1_500;

/** Stops a worker with claimed transmissions for longer than its lease, and continues it after others have settled them. */
const workerFrozen: Scenario = {
  name: 'worker-frozen',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 20 },
  certificates: 200,
  strike: (round) => freeze(round, { statement: CLAIM, moment: 'answered' }),
};

/** The same inside the transaction of a change, which keeps its locks until the database ends it. */
const workerFrozenInTransaction: Scenario = {
  name: 'worker-frozen-in-transaction',
  shapes: BOTH,
  rounds: { short: [], full: 5 },
  certificates: 200,
  allows: { idleTransactions: true },
  strike: (round) => freeze(round, { statement: CHANGE_RECORD, moment: 'answered' }),
};

export async function freeze(
  { world, load, note }: Round,
  point: Point,
  options: StartOptions = {},
): Promise<void> {
  // Only this worker runs, with one job at a time, so that every claimed transmission is its own and outside a transaction.
  await Promise.all(world.workers.map((worker) => worker.kill()));
  const victim = await world.startWorker({ concurrency: 1, ...options });
  const before = await countTakenOver(world);
  const hold = await holdWithWork(world, victim, point);
  victim.signal('SIGSTOP');
  await world.startWorker();
  try {
    await load.done;
    await untilSettled(world);
    note('taken over', (await countTakenOver(world)) - before);
    const settled = await digest(world);
    const earlier = victim.database.count(REQUIRE_FENCE);
    hold.release();
    victim.signal('SIGCONT');
    await sleep(LATE_MS);
    const late = victim.database.count(REQUIRE_FENCE) - earlier;
    note('late writes', late);
    if (late === 0 && point.statement === CLAIM) throw new Error('the late writer did not write');
    if ((await digest(world)) !== settled)
      load.report.problems.push('a late writer changed something');
  } finally {
    victim.signal('SIGCONT');
  }
}

async function holdWithWork(world: World, victim: RegistryProcess, point: Point): Promise<Hold> {
  for (;;) {
    const hold = await victim.database.hold(point);
    if (hold === undefined) throw new Error('the worker claims nothing');
    // Inside a transaction the claimed transmissions are not visible, but exist.
    if (point.statement !== CLAIM) return hold;
    if ((await world.db.transmission.count({ where: { status: 'VALIDATING' } })) > 0) return hold;
    hold.release();
  }
}

async function countTakenOver({ db }: World): Promise<number> {
  return db.transmission.count({ where: { fence: { gt: 1 } } });
}

/** A digest of all rows that terminal transmissions have written. */
async function digest({ db }: World): Promise<string> {
  const [row] = await db.$queryRaw<{ digest: string }[]>`
    SELECT md5(concat(
      (SELECT string_agg(concat_ws('|', id, status, fence, acknowledgment, certificate_id, completed_at), ',' ORDER BY id) FROM transmissions),
      (SELECT string_agg(concat_ws('|', id, lifecycle, current_version, effective_date, expiration_date), ',' ORDER BY id) FROM certificates),
      (SELECT string_agg(concat_ws('|', certificate_id, version, transmission_id), ',' ORDER BY certificate_id, version) FROM certificate_versions),
      (SELECT string_agg(concat_ws('|', certificate_id, key, during), ',' ORDER BY certificate_id, key, during) FROM coverage_claims))) AS digest`;
  return row?.digest ?? '';
}

export const FROZEN: readonly Scenario[] = [workerFrozen, workerFrozenInTransaction];
