import { BLOCKS } from '../cells/table.ts';
import { makeSample } from '../measure/make-sample.ts';
import type { Sample } from '../measure/sample.ts';
import type { Round } from '../rounds.ts';
import { GOALS, readRatios } from './ratios.ts';

const CORES = 2;
const DRIFT_MAX = 0.05;

const sampleOf = (perSecond: number, more: Partial<Sample> = {}) =>
  makeSample({ perSecond, ...more });

/** `control` is that after each cell; before it, it is 1. */
function roundOf(samples: Readonly<Record<string, Sample>>, control = 1): Round {
  return {
    block: 'any',
    looks: new Map(Object.keys(samples).map((name) => [name, [1, control]])),
    samples: new Map(Object.entries(samples)),
    faults: [],
  };
}

function ratioNamed(name: string, rounds: readonly Round[], cores = CORES) {
  const found = readRatios(rounds, DRIFT_MAX, cores).find((ratio) => ratio.name === name);
  if (found === undefined) throw new Error(`there is no ratio ${name}`);
  return found;
}

describe('the goals', () => {
  it('each compare cells of one block, which are measured in the same rounds', () => {
    const blockOf = new Map(
      BLOCKS.flatMap((block) => block.cells.map((cell) => [cell.name, block.name])),
    );
    for (const { name, of, to = of } of GOALS) {
      expect({ name, block: blockOf.get(of) }).toEqual({ name, block: blockOf.get(to) });
      expect(blockOf.get(of)).toBeDefined();
    }
  });

  it('name cells that are in one block only', () => {
    const names = BLOCKS.flatMap(({ cells }) => cells.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('a ratio', () => {
  const toLimit = 'registered/s, 1 vehicle ÷ SQL limit, redis';

  it('is the median of the ratios within rounds, not the ratio of medians', () => {
    const rounds = [
      roundOf({ 'registry-redis/1': sampleOf(40), 'limit-redis/1': sampleOf(100) }),
      roundOf({ 'registry-redis/1': sampleOf(30), 'limit-redis/1': sampleOf(60) }),
      roundOf({ 'registry-redis/1': sampleOf(90), 'limit-redis/1': sampleOf(100) }),
    ];
    expect(ratioNamed(toLimit, rounds).ratio).toEqual({ median: 0.5, min: 0.4, max: 0.9 });
  });

  it('needs both sides in one round', () => {
    const rounds = [
      roundOf({ 'registry-redis/1': sampleOf(40) }),
      roundOf({ 'limit-redis/1': sampleOf(100) }),
    ];
    expect(ratioNamed(toLimit, rounds)).toMatchObject({
      ratio: undefined,
      verdict: 'not measured',
    });
  });

  it('is shown over the rounds thrown out, too, and judged without them', () => {
    const kept = roundOf({ 'registry-redis/1': sampleOf(40), 'limit-redis/1': sampleOf(100) });
    const thrownOut = roundOf(
      { 'registry-redis/1': sampleOf(10), 'limit-redis/1': sampleOf(100) },
      1.06,
    );
    expect(ratioNamed(toLimit, [kept, thrownOut])).toMatchObject({
      ratio: { median: 0.4 },
      ofAll: { median: 0.25, min: 0.1, max: 0.4 },
      meanOfAll: { ratio: expect.closeTo(0.2, 10), error: expect.closeTo(Math.log(2), 10) },
      roundsKept: 1,
      roundsRun: 2,
      verdict: 'reached',
    });
  });

  it('is that of all rounds where none counts, and says so', () => {
    const samples = { 'registry-redis/1': sampleOf(40), 'limit-redis/1': sampleOf(100) };
    expect(ratioNamed(toLimit, [roundOf(samples, 2)])).toMatchObject({
      ratio: { median: 0.4 },
      roundsKept: 0,
      roundsRun: 1,
    });
  });

  it.each([
    { name: toLimit, of: 'registry-redis/1', to: 'limit-redis/1', values: [69, 71] },
    {
      name: "a small insurer's p99 while a pool dumps ÷ when it does not, redis",
      of: 'small-redis/dump',
      to: 'small-redis/alone',
      values: [151, 149],
    },
  ])(
    'is reached at worst by rounds that leave room for all of their drift: $name',
    ({ name, of, to, values }) => {
      const both = (value: number) => sampleOf(value, { figures: { p99Ms: value } });
      const rounds = values.map((value) => roundOf({ [of]: both(value), [to]: both(100) }, 2));
      expect(ratioNamed(name, rounds)).toMatchObject({ reachedAtWorst: 1, roundsKept: 0 });
    },
  );

  it('of one figure alone knows no worst', () => {
    const round = roundOf({ 'registry-redis/1': sampleOf(40, { commitsPerItem: 1 }) });
    const name = 'commits per registered transmission under load, redis';
    expect(ratioNamed(name, [round]).reachedAtWorst).toBeUndefined();
  });

  it('counts whatever the control does around other cells', () => {
    const samples = { 'registry-redis/1': sampleOf(40), 'limit-redis/1': sampleOf(100) };
    const round = roundOf({ ...samples, 'limit-redis/500': sampleOf(1) });
    const looks = new Map([...round.looks, ['limit-redis/500', [1, 2] as const]]);
    expect(ratioNamed(toLimit, [{ ...round, looks }])).toMatchObject({ roundsKept: 1 });
  });

  it.each([
    [34, 'missed'],
    [35, 'reached'],
    [60, 'beyond'],
  ])('of %d to 100 against a goal of 0.35, better 0.6, is %s', (perSecond, verdict) => {
    const round = roundOf({
      'registry-redis/1': sampleOf(perSecond),
      'limit-redis/1': sampleOf(100),
    });
    expect(ratioNamed(toLimit, [round]).verdict).toBe(verdict);
  });

  it.each([
    [301, 'missed'],
    [300, 'reached'],
    [150, 'beyond'],
  ])('that is a cost, of %d to 100 against 3, better 1.5, is %s', (p99Ms, verdict) => {
    const round = roundOf({
      'small-redis/dump': sampleOf(1, { figures: { p99Ms } }),
      'small-redis/alone': sampleOf(1, { figures: { p99Ms: 100 } }),
    });
    const name = "a small insurer's p99 while a pool dumps ÷ when it does not, redis";
    expect(ratioNamed(name, [round]).verdict).toBe(verdict);
  });

  it('of CPU leaves out the generator of the load', () => {
    const cpu = (worker: number, bench: number) =>
      sampleOf(1, { cpuPerItem: { worker, postgres: 60, bench } });
    const round = roundOf({ 'sharing-redis/40': cpu(45, 900), 'sharing-redis/1': cpu(40, 100) });
    const name =
      'CPU per settled transmission, 40 organizations that share ÷ one alone (fairness), redis';
    expect(ratioNamed(name, [round])).toMatchObject({
      ratio: { median: 1.05 },
      verdict: 'reached',
    });
  });

  it('that is for comparison has no goal', () => {
    const round = roundOf({
      'registry-redis/500': sampleOf(60),
      'sync-unguarded/500': sampleOf(10),
    });
    const name = 'registered/s, 500 vehicles ÷ synchronous without the one-cover rule, redis';
    expect(ratioNamed(name, [round])).toMatchObject({ ratio: { median: 6 }, verdict: 'no goal' });
  });

  it('that more cores are needed for is missed only where they are', () => {
    const round = roundOf({
      'drain-redis/1k': sampleOf(100),
      'drain-redis/1k-1-worker': sampleOf(100),
    });
    const name = 'two workers ÷ one, where cores allow, redis';
    expect(ratioNamed(name, [round], 2).verdict).toBe('too few cores');
    expect(ratioNamed(name, [round], 4).verdict).toBe('missed');
  });
});

describe('the memory of a worker', () => {
  const name = 'resident memory of a worker in the last round ÷ in the first, redis';
  const roundWith = (worker: number) =>
    roundOf({ 'registry-redis/1': sampleOf(1, { memory: { worker } }) });

  it('is flat when the last round shows no more than the first', () => {
    expect(ratioNamed(name, [roundWith(100), roundWith(150), roundWith(104)])).toMatchObject({
      ratio: { median: 1.04 },
      verdict: 'beyond',
    });
    expect(ratioNamed(name, [roundWith(100), roundWith(120)]).verdict).toBe('missed');
  });

  it('says nothing after one round', () => {
    expect(ratioNamed(name, [roundWith(100)]).verdict).toBe('not measured');
  });
});
