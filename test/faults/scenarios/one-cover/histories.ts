import { type Call, COVERAGE } from '../../histories/coverage-rules.ts';
import {
  firstContradiction,
  isLinearizable,
  type Operation,
} from '../../histories/linearizable.ts';
import { type HistorySizes, recordHistory } from '../../histories/record-history.ts';
import { BOTH, type Round, type Scenario } from '../../scenario.ts';
import type { World } from '../../world.ts';

const HISTORIES = { short: 5, full: 10 };
/** The clients of two histories share only the registry. */
const AT_ONCE = 2;
const FULL_HISTORY: HistorySizes = { callsEach: 40, timeoutMs: 90_000 };
const CALLS_SHOWN = 60;
export const NOT_LINEARIZABLE = 'not linearizable';

/** Checks that the answers to concurrent clients about a few vehicles are linearizable. */
const linearizable: Scenario = {
  name: 'linearizable',
  shapes: BOTH,
  rounds: { short: BOTH, full: 50 },
  certificates: 4,
  strike: async (round) => {
    await prepareHistories(round.world);
    let left = HISTORIES[round.isFull ? 'full' : 'short'];
    const runOn = async (): Promise<void> => {
      for (; left > 0 && round.load.report.problems.length === 0; ) {
        left -= 1;
        await checkHistory(round);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runOn));
  },
};

/** Adds the insurers of all histories. Call it before the first history. */
export async function prepareHistories(world: World): Promise<void> {
  await world.addInsurer('insurer-01');
}

/** Records a history; an answer that no order explains is a problem. */
export async function checkHistory(
  { world, random, load, note }: Round,
  sizes: HistorySizes = FULL_HISTORY,
): Promise<void> {
  const { families, unknown } = await recordHistory(world, random, sizes);
  note('histories');
  note('unknown outcomes', unknown);
  for (const operations of families) {
    note('calls', operations.length);
    if (isLinearizable(operations, COVERAGE)) continue;
    load.report.problems.push(describeHistory(firstContradiction(operations, COVERAGE)));
  }
}

function describeHistory(operations: readonly Operation<Call, string>[]): string {
  const sorted = operations.toSorted((one, other) => one.from - other.from);
  const start = sorted[0]?.from ?? 0;
  const lines = sorted.map(({ call, from, to, result = 'unknown' }) => {
    const times = [from, to].map((at) => (at - start).toFixed(1)).join('–');
    return `       ${times} ${JSON.stringify(call)} → ${result}`;
  });
  return [`${NOT_LINEARIZABLE}:`, ...lines.slice(-CALLS_SHOWN)].join('\n');
}

export const HISTORIES_CHECKED: readonly Scenario[] = [linearizable];
