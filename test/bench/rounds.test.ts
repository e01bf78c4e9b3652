import type { Block, Cell } from './cells/cell.ts';
import { makeSample } from './measure/make-sample.ts';
import type { Sample } from './measure/sample.ts';
import { type Control, type Round, type RoundsOptions, runRounds } from './rounds.ts';
import type { World } from './world.ts';

// The cells of these rounds do nothing: they need no world.
const NO_WORLD = {} as World;
const SCALE = { factor: 1, isQuick: false };
const WARM_UP = { factor: 0.25, isQuick: false };

/** What was measured, in its order; warming up is not. */
let measured: string[];
let rounds: Round[];
beforeEach(() => {
  measured = [];
  rounds = [];
});

function cell(name: string, measure: () => Sample | Error = makeSample): Cell {
  return {
    name,
    about: '',
    unit: 'item',
    seconds: 1,
    measure: async (_world, { factor }) => {
      if (factor === SCALE.factor) measured.push(name);
      const sample = measure();
      if (sample instanceof Error) throw sample;
      return sample;
    },
  };
}

const block = (name: string, ...cells: string[]): Block => ({
  name,
  cells: cells.map((one) => cell(one)),
});

/** One value for each look, the last one again and again. The first look is the warm-up's. */
function controlOf(...values: number[]): Control {
  let looks = 0;
  return async () => {
    const value = values[Math.min(looks, values.length - 1)] ?? 0;
    looks += 1;
    return value;
  };
}

async function run(
  blocks: readonly Block[],
  control: Control,
  options: Partial<RoundsOptions> = {},
): Promise<void> {
  await runRounds(NO_WORLD, blocks, control, {
    rounds: 3,
    driftMax: 0.05,
    attemptsMax: 6,
    endsAtMs: Number.POSITIVE_INFINITY,
    scale: SCALE,
    warmUp: WARM_UP,
    onProgress: () => undefined,
    onRound: (round) => void rounds.push(round),
    ...options,
  });
}

const STEADY = controlOf(100);
const ENDLESS = { attemptsMax: Number.POSITIVE_INFINITY };
const outcomes = () => rounds.map((one) => `${one.block} ${one.isKept ? 'kept' : 'thrown out'}`);

it('each round begins with another block, and each block with another cell', async () => {
  await run([block('a', 'a1', 'a2'), block('b', 'b1', 'b2', 'b3')], STEADY);
  expect(measured.join(' ')).toBe('a1 a2 b1 b2 b3 b2 b3 b1 a2 a1 a1 a2 b3 b1 b2');
  expect(rounds).toHaveLength(6);
});

describe('a round', () => {
  it('is thrown out when the control drifts by more than 5 %, up or down, and run again alone', async () => {
    await run([block('a', 'a1'), block('b', 'b1')], controlOf(100, 100, 106, 110, 103, 99), {
      rounds: 1,
    });
    expect(outcomes()).toEqual(['a thrown out', 'b kept', 'a thrown out', 'a kept']);
    expect(rounds.map(({ drift }) => Math.round(drift * 1_000))).toEqual([60, 38, 64, 39]);
  });

  it('is not run for ever', async () => {
    let looks = 0;
    await run([block('a', 'a1')], async () => 100 * 2 ** looks++, { rounds: 2, attemptsMax: 4 });
    expect(outcomes()).toEqual(Array.from({ length: 4 }, () => 'a thrown out'));
  });

  it('is not begun when the time is over, but the first', async () => {
    await run([block('a', 'a1'), block('b', 'b1')], STEADY, { ...ENDLESS, endsAtMs: 0 });
    expect(measured).toEqual(['a1', 'b1']);
  });

  it('is run as often as it takes where only the time is a bound', async () => {
    const unsteadyAtFirst = controlOf(...Array.from({ length: 20 }, (_, look) => 2 ** look));
    await run([block('a', 'a1')], unsteadyAtFirst, { ...ENDLESS, rounds: 2 });
    expect(rounds.map(({ isKept }) => isKept).slice(-3)).toEqual([false, true, true]);
    expect(rounds).toHaveLength(20);
  });

  it('is told as soon as it is over', async () => {
    const toldAt: string[][] = [];
    const onRound = () => void toldAt.push([...measured]);
    await run([block('a', 'a1'), block('b', 'b1')], STEADY, { rounds: 1, onRound });
    expect(toldAt).toEqual([['a1'], ['a1', 'b1']]);
  });
});

describe('warming up', () => {
  it('is a part of the work, more where a cell asks for it, as little as the rest in a quick run', async () => {
    const factors: number[] = [];
    const large: Cell = {
      ...cell('a1'),
      warmUpTimes: 8,
      measure: async (_world, { factor }) => {
        factors.push(factor);
        return makeSample();
      },
    };
    const blocks = [{ name: 'a', cells: [large] }];
    await run(blocks, STEADY, { rounds: 1 });
    await run(blocks, STEADY, { rounds: 1, warmUp: { ...WARM_UP, isQuick: true } });
    expect(factors).toEqual([2, 1, 0.25, 1]);
  });
});

describe('a cell', () => {
  const done = () => rounds.map(({ samples, faults }) => ({ names: [...samples.keys()], faults }));

  it('that fails is told and has no figures; the others have theirs', async () => {
    const failing = cell('a1', () => new Error('no connection'));
    await run([{ name: 'a', cells: [failing, cell('a2')] }], STEADY, { rounds: 1 });
    expect(done()).toEqual([{ names: ['a2'], faults: ['a1: no connection'] }]);
  });

  it('whose work is wrong counts for nothing', async () => {
    const wrong = cell('a1', () => makeSample({ faults: ['one vehicle has two covers'] }));
    await run([{ name: 'a', cells: [wrong] }], STEADY, { rounds: 1 });
    expect(done()).toEqual([{ names: [], faults: ['a1: one vehicle has two covers'] }]);
  });

  it('that did nothing is wrong', async () => {
    const idle = cell('a1', () => makeSample({ items: 0 }));
    await run([{ name: 'a', cells: [idle] }], STEADY, { rounds: 1 });
    expect(done()).toEqual([{ names: [], faults: ['a1: nothing was done while it was measured'] }]);
  });
});
