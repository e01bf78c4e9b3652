import type { Moment } from '../database-proxy.ts';
import type { Role } from '../processes.ts';
import { BOTH, type Scenario } from '../scenario.ts';
import {
  BEGIN,
  CLAIM,
  COMMIT,
  READ_FACTS,
  READ_OUTCOME,
  RECEIVE,
  SETTLE,
  SWEEP,
  TAKE,
} from '../statements.ts';

interface FailPoint {
  readonly name: string;
  readonly role: Role;
  readonly statement: RegExp;
  readonly moment: Moment;
}

/** Before and after everything that commits on the path, and inside what commits together. */
const FAIL_POINTS: readonly FailPoint[] = [
  { name: 'before receive', role: 'api', statement: RECEIVE, moment: 'before' },
  { name: 'received, unknown', role: 'api', statement: RECEIVE, moment: 'answered' },
  { name: 'received, unanswered', role: 'api', statement: READ_OUTCOME, moment: 'before' },
  { name: 'before take', role: 'worker', statement: TAKE, moment: 'before' },
  { name: 'taken, unknown', role: 'worker', statement: TAKE, moment: 'answered' },
  { name: 'taken, facts unread', role: 'worker', statement: READ_FACTS, moment: 'before' },
  { name: 'decided', role: 'worker', statement: BEGIN, moment: 'before' },
  { name: 'before claims', role: 'worker', statement: CLAIM, moment: 'before' },
  { name: 'claimed', role: 'worker', statement: CLAIM, moment: 'answered' },
  { name: 'written', role: 'worker', statement: SETTLE, moment: 'answered' },
  { name: 'before commit', role: 'worker', statement: COMMIT, moment: 'before' },
  { name: 'committed, unknown', role: 'worker', statement: COMMIT, moment: 'answered' },
  { name: 'swept, not enqueued', role: 'worker', statement: SWEEP, moment: 'answered' },
];

/** In the short form every fifth, from a point of its own in each round. */
const SHORT_STEP = 5;

/** A process is killed with -9 exactly there. A point that is not reached fails the round. */
export const FAIL_POINT_SCENARIO: Scenario = {
  name: 'fail-points',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 20 },
  certificates: 200,
  strike: async ({ world, random, isFull, note }) => {
    const first = random.below(SHORT_STEP);
    const points = isFull
      ? FAIL_POINTS
      : FAIL_POINTS.filter((_, index) => index % SHORT_STEP === first);
    for (const { name, role, statement, moment } of points) {
      const victim = role === 'api' ? world.api : random.pick(world.workers);
      const hold = await victim.database.hold({ statement, moment });
      if (hold === undefined) throw new Error(`the fail-point "${name}" was not reached`);
      await victim.kill();
      note(`"${name}"`);
      if (role === 'api') await world.startApi();
      else await world.startWorker();
    }
  },
};
