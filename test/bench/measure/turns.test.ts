import { sumOfExpected } from './correctness.ts';
import { shareOf, sumOfStatements } from './database-counters.ts';

describe('of several turns', () => {
  it('each statement is one, with the calls and times of all, and those that took most come first', () => {
    const one = (query: string, calls: number, total: number) => ({
      query,
      calls,
      total,
      plan: 1,
      wal: 10,
    });
    const sums = sumOfStatements([one('a', 2, 3), one('b', 1, 4), one('a', 6, 5)]);
    expect(sums).toEqual([
      { query: 'a', calls: 8, total: 8, plan: 2, wal: 20 },
      { query: 'b', calls: 1, total: 4, plan: 1, wal: 10 },
    ]);
    expect(sums.map((sum) => shareOf(sum, 4))).toEqual([
      {
        statement: 'a',
        callsPerItem: 2,
        meanMilliseconds: 1,
        millisecondsPerItem: 2,
        planMillisecondsPerItem: 0.5,
        walBytesPerItem: 5,
      },
      {
        statement: 'b',
        callsPerItem: 0.25,
        meanMilliseconds: 4,
        millisecondsPerItem: 1,
        planMillisecondsPerItem: 0.25,
        walBytesPerItem: 2.5,
      },
    ]);
  });

  it('as much is expected as of all together, nothing where nothing is registered', () => {
    const expected = { accepted: 3, registered: 2, vehicles: 4 };
    expect(sumOfExpected([{ expected }, {}, { expected: { ...expected, inProgress: 5 } }])).toEqual(
      { accepted: 6, registered: 4, vehicles: 8, inProgress: 5 },
    );
    expect(sumOfExpected([{}])).toEqual({
      accepted: 0,
      registered: 0,
      vehicles: 0,
      inProgress: 0,
    });
  });
});
