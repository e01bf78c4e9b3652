import { setTimeout as sleep } from 'node:timers/promises';
import { RELEASE_IDENTIFIERS, REQUIRE_FENCE, TAKE } from '../flaws/statements.ts';
import { untilSettled } from '../flaws/stored-flaws.ts';
import { BOTH, type Round, type Scenario } from '../scenario.ts';
import type { RegistryProcess } from '../servers/processes.ts';
import type { Hold, Point } from '../wire/watched-proxy.ts';
import type { StartOptions, World } from '../world.ts';

/** For the late writer to write, if anything lets it. */
const LATE_MS = 1_500;

/** Stopped with transmissions in its hands, longer than its lease, and woken when others have settled them. */
const workerFrozen: Scenario = {
  name: 'worker-frozen',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 20 },
  certificates: 200,
  strike: (round) => freeze(round, { statement: TAKE, moment: 'answered' }),
};

/** The same inside the transaction of a change, whose locks it holds until the database ends it. */
const workerFrozenInTransaction: Scenario = {
  name: 'worker-frozen-in-transaction',
  shapes: BOTH,
  rounds: { short: [], full: 5 },
  certificates: 200,
  brings: { idleTransactions: true },
  strike: (round) => freeze(round, { statement: RELEASE_IDENTIFIERS, moment: 'answered' }),
};

export async function freeze(
  { world, load, note }: Round,
  point: Point,
  options: StartOptions = {},
): Promise<void> {
  // Alone, and one job at a time, so that whatever is in hands is in its hands, outside of any transaction.
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
    if (late === 0 && point.statement === TAKE) throw new Error('the late writer did not write');
    if ((await digest(world)) !== settled) load.book.flaws.push('a late writer changed something');
  } finally {
    victim.signal('SIGCONT');
  }
}

async function holdWithWork(world: World, victim: RegistryProcess, point: Point): Promise<Hold> {
  for (;;) {
    const hold = await victim.database.hold(point);
    if (hold === undefined) throw new Error('the worker takes nothing');
    // A transaction that is not committed shows nothing, but has something in its hands.
    if (point.statement !== TAKE) return hold;
    if ((await world.db.transmission.count({ where: { status: 'VALIDATING' } })) > 0) return hold;
    hold.release();
  }
}

async function countTakenOver({ db }: World): Promise<number> {
  return db.transmission.count({ where: { fence: { gt: 1 } } });
}

/** Of everything that a terminal transmission stands for. */
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
