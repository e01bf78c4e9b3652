import { makeSample } from '../measure/make-sample.ts';
import { pairedRatio } from '../measure/statistics.ts';
import { describeOwnWork, describePaired } from './paired.ts';

describe('ratio of pairs', () => {
  it('is of each pair, however the machine changes between them', () => {
    const { ratio, error } = pairedRatio([10, 100, 1_000], [11, 110, 1_100]);
    expect(ratio).toBeCloseTo(1.1, 10);
    expect(error).toBeCloseTo(0, 10);
  });

  it('takes twice as much and half as much as nothing', () => {
    expect(pairedRatio([1, 1], [2, 0.5]).ratio).toBeCloseTo(1, 10);
  });

  it('has the standard error of its mean', () => {
    // Logarithms of 0.1 and 0.3: mean 0.2, deviation 0.1 · √2, of two.
    const { ratio, error } = pairedRatio([1, 1], [Math.exp(0.1), Math.exp(0.3)]);
    expect(Math.log(ratio)).toBeCloseTo(0.2, 10);
    expect(error).toBeCloseTo(0.1, 10);
  });

  it('has no error with one pair', () => {
    expect(pairedRatio([4], [2])).toEqual({ ratio: 0.5, error: Number.NaN });
  });

  it.each([
    ['no pair', [], []],
    ['one without its other', [1, 2], [1]],
    ['nothing done', [1, 0], [1, 1]],
  ])('is refused for %s', (_case, firsts, others) => {
    expect(() => pairedRatio(firsts, others)).toThrow(/pair|positive/);
  });
});

describe('table of builds in turn', () => {
  const row = (table: string, name: string) =>
    table.split('\n').find((line) => line.includes(name));

  it('says what the others do beside the first', () => {
    const of = (...rates: number[]) => rates.map((perSecond) => makeSample({ perSecond }));
    const table = describePaired([
      { name: 'dist-before', samples: of(10, 30, 20) },
      { name: 'dist', samples: of(11, 33, 22) },
    ]);
    expect(table.split('\n')[0]).toBe('| 3 rounds | dist-before | dist |');
    expect(row(table, 'items per second')).toBe(
      '| items per second | 20.0 | 22.0 (× 1.100 ± 0.000) |',
    );
  });

  it('has the figures of what was measured, those that are missing in the others, too', () => {
    const of = (name: string, ...all: Readonly<Record<string, number>>[]) => ({
      name,
      samples: all.map((figures) => makeSample({ figures })),
    });
    const table = describePaired([
      of('dist-before', { p50Ms: 100, maxMs: 5 }, { p50Ms: 50, maxMs: 5 }),
      of('dist', { p50Ms: 80 }, { p50Ms: 40 }),
    ]);
    expect(row(table, 'p50Ms')).toBe('| p50Ms | 75.0 | 60.0 (× 0.800 ± 0.000) |');
    expect(row(table, 'maxMs')).toBe('| maxMs | 5.00 | 0.00 |');
  });

  it('leaves out what the first has none of, and names no ratio to nothing', () => {
    const one = (redis: number) => ({
      name: 'dist',
      samples: [makeSample({ cpuPerItem: { api: 2, redis } })],
    });
    expect(row(describePaired([one(0), one(1)]), 'redis')).toBeUndefined();
    expect(row(describePaired([one(1), one(0)]), 'redis')).toBe(
      '| CPU redis, µs per item | 1.00 | 0.00 |',
    );
  });

  it('has the rounds that all have been through', () => {
    const of = (...rates: number[]) => ({
      name: 'dist',
      samples: rates.map((perSecond) => makeSample({ perSecond })),
    });
    const table = describePaired([of(10, 10), of(20)]);
    expect(row(table, 'rounds')).toBe('| 1 rounds | dist | dist |');
    expect(row(table, 'items per second')).toBe('| items per second | 10.0 | 20.0 (× 2.000) |');
    expect(describePaired([of(10), of()]).split('\n')).toHaveLength(2);
  });
});

it('own work is told role by role, and of the other builds beside the first', () => {
  const measured = [
    {
      role: 'api',
      builds: [
        [100, 200, 300],
        [50, 100, 150],
        [100, 200, 300],
      ],
    },
    {
      role: 'worker',
      builds: [
        [8, 8, 8],
        [6, 6, 6],
        [9, 9, 9],
      ],
    },
  ];
  expect(describeOwnWork(['a', 'b', 'c'], measured).split('\n')).toEqual([
    '| 3 rounds, CPU in µs per item | a | b | c |',
    '| --- | ---: | ---: | ---: |',
    '| api | 200 | 100 (× 0.500 ± 0.000) | 200 (× 1.000 ± 0.000) |',
    '| worker | 8.00 | 6.00 (× 0.750 ± 0.000) | 9.00 (× 1.125 ± 0.000) |',
  ]);
});
