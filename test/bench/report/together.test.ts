import { makeSample } from '../measure/make-sample.ts';
import { DRIFT_MAX, type Round } from '../rounds.ts';
import { type Summary, summarize } from './summary.ts';
import { readTogether } from './together.ts';

const TO_LIMIT = 'registered/s, 1 vehicle ÷ SQL limit, redis';
const MACHINE = { cores: 2 } as Summary['machine'];

/** `control` is that after each cell; before it, it is 1. Read as it was written. */
function runOf(
  ...rounds: { readonly rates: Record<string, number>; readonly control?: number }[]
): Summary {
  const run = summarize(
    [],
    rounds.map(
      ({ rates, control = 1 }): Round => ({
        block: 'any',
        looks: new Map(Object.keys(rates).map((name) => [name, [1, control]])),
        samples: new Map(
          Object.entries(rates).map(([name, perSecond]) => [name, makeSample({ perSecond })]),
        ),
        faults: [],
      }),
    ),
    DRIFT_MAX,
    MACHINE,
    {},
  );
  return JSON.parse(JSON.stringify(run)) as Summary;
}

const rates = (registry: number) => ({ 'registry-redis/1': registry, 'limit-redis/1': 100 });

describe('several runs together', () => {
  it('are read as one of all their rounds, whatever the order of the cells', () => {
    const backwards = { 'limit-redis/1': 100, 'registry-redis/1': 90 };
    const read = readTogether([
      runOf({ rates: rates(40) }, { rates: backwards }),
      runOf({ rates: rates(30) }, { rates: rates(80), control: 1.1 }),
    ]);
    expect(read).toMatchObject([
      {
        name: TO_LIMIT,
        ratio: { median: 0.4, min: 0.3, max: 0.9 },
        ofAll: { min: 0.3, max: 0.9 },
        roundsKept: 3,
        roundsRun: 4,
        verdict: 'reached',
      },
    ]);
  });

  it('leave out what no results.json tells of each round', () => {
    const idle = { 'idle-redis/1': 5, 'idle-sync/1': 5 };
    expect(readTogether([runOf({ rates: idle })])).toEqual([]);
  });

  it('are refused when a cell that is missing would pair rounds that are not one', () => {
    const torn = runOf({ rates: { 'registry-redis/1': 40 } }, { rates: { 'limit-redis/1': 100 } });
    expect(() => readTogether([torn])).toThrow(
      `${TO_LIMIT}: 1 of 1 rounds count by the measurements, 0 of 0 by the run's own table`,
    );
  });
});
