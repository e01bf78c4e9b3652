import {
  ALONE,
  BESIDE_BULK,
  type Measurement,
  ONE_TENANT,
  registrationOf,
  SQL_LIMIT,
} from './measurement.ts';
import { judgeGoals } from './ratios.ts';
import { toText } from './table.ts';

const SUBJECT = 'redis';
const TO_LIMIT = 'registered/s, 1 vehicle ÷ SQL limit';

function measured(
  scenario: string,
  subject: string,
  round: number,
  figures: Record<string, number>,
  faults: string[] = [],
): Measurement {
  return { scenario, subject, round, figures, faults };
}

/** One round: what the registry and the limit register per second. */
function round(number: number, own: number, limit: number, othersShare = 0): Measurement[] {
  const scenario = registrationOf(1);
  return [
    measured(scenario, SQL_LIMIT, number, { perSecond: limit, othersShare }),
    measured(scenario, SUBJECT, number, { perSecond: own, othersShare: 0 }),
  ];
}

describe('a goal', () => {
  it('is judged by the median of the ratios of its rounds', () => {
    const measurements = [...round(1, 60, 100), ...round(2, 30, 100), ...round(3, 20, 40)];
    expect(judgeGoals(measurements, [SUBJECT])).toEqual([
      {
        goal: TO_LIMIT,
        subject: SUBJECT,
        value: 0.5,
        bound: 'at least',
        limit: 0.5,
        passed: true,
        validRounds: 3,
        rounds: 3,
      },
    ]);
  });

  it('fails on the wrong side of its limit', () => {
    const cost = (figure: number) => [
      measured(ALONE, SUBJECT, 1, { p99Ms: 10 }),
      measured(BESIDE_BULK, SUBJECT, 1, { p99Ms: figure }),
    ];
    expect(judgeGoals(round(1, 49, 100), [SUBJECT])).toMatchObject([{ passed: false }]);
    expect(judgeGoals(cost(31), [SUBJECT])).toMatchObject([{ value: 3.1, passed: false }]);
    expect(judgeGoals(cost(29), [SUBJECT])).toMatchObject([{ value: 2.9, passed: true }]);
  });

  it('leaves out rounds in which other programs used the machine, on either side', () => {
    const measurements = [...round(1, 60, 100), ...round(2, 10, 100, 0.2)];
    expect(judgeGoals(measurements, [SUBJECT])).toMatchObject([
      { value: 0.6, validRounds: 1, rounds: 2 },
    ]);
  });

  it('leaves out rounds with wrong results', () => {
    const [limit, own] = round(2, 99, 100);
    const wrong = [limit, { ...own, faults: ['10 accepted, 9 registered'] }] as Measurement[];
    expect(judgeGoals([...round(1, 60, 100), ...wrong], [SUBJECT])).toMatchObject([
      { value: 0.6, validRounds: 1, rounds: 2 },
    ]);
  });

  it('says that none is valid and shows all the same', () => {
    expect(judgeGoals(round(1, 60, 100, 0.5), [SUBJECT])).toMatchObject([
      { value: 0.6, validRounds: 0, rounds: 1 },
    ]);
  });
});

describe("a worker's memory", () => {
  const memory = (...sizes: number[]) =>
    sizes.map((workerMb, index) => measured(ONE_TENANT, SUBJECT, index + 1, { workerMb }));

  it('is the largest of all measurements, and grows from the first round to the last', () => {
    expect(judgeGoals(memory(100, 300, 120), [SUBJECT])).toMatchObject([
      { goal: 'worker memory, MB', value: 300, passed: false },
      { goal: 'worker memory, last round ÷ first round', value: 1.2, passed: false },
    ]);
    expect(judgeGoals(memory(100, 105), [SUBJECT])).toMatchObject([
      { value: 105, passed: true },
      { value: 1.05, passed: true },
    ]);
  });
});

describe('the table', () => {
  it('shows medians, results and what was wrong', () => {
    const [limit, own] = round(1, 60, 100);
    const measurements = [
      limit,
      { ...own, faults: ['10 accepted, 9 registered'] },
    ] as Measurement[];
    expect(toText(measurements, judgeGoals(measurements, [SUBJECT])).split('\n')).toEqual([
      '| scenario       | subject   | registered/s | CPU ms each | p50 ms | p99 ms | worker MB | valid rounds |',
      '| -------------- | --------- | ------------ | ----------- | ------ | ------ | --------- | ------------ |',
      '| registration/1 | SQL limit | 100          |             |        |        |           | 1 of 1       |',
      '| registration/1 | redis     | 60           |             |        |        |           | 0 of 1       |',
      '',
      '| goal                                | subject | value | wanted       | result | valid rounds |',
      '| ----------------------------------- | ------- | ----- | ------------ | ------ | ------------ |',
      '| registered/s, 1 vehicle ÷ SQL limit | redis   | 0.6   | at least 0.5 | pass   | 0 of 1       |',
      '',
      'WRONG registration/1, redis: 10 accepted, 9 registered',
      '',
    ]);
  });
});
