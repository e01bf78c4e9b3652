import type { Block, Cell } from './cells/cell.ts';
import { makeSample } from './measure/make-sample.ts';
import type { Sample } from './measure/sample.ts';
import { driftAround, type Round, type RoundsOptions, runRounds } from './rounds.ts';
import type { Control } from './turns.ts';
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
    measure: async (_world, { factor }, bounds) => {
      if (factor === SCALE.factor) measured.push(name);
      let sample = makeSample();
      for (let turn = 0; turn < bounds.turns; turn += 1) {
        await bounds.begin();
        const outcome = measure();
        if (outcome instanceof Error) throw outcome;
        sample = outcome;
        await bounds.end();
      }
      return sample;
    },
  };
}

const block = (name: string, ...cells: string[]): Block => ({
  name,
  cells: cells.map((one) => cell(one)),
});

/** One value for each look, the last one again and again. The first look is the warm-up's; then each cell begins and ends with one. */
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
    comparisons: blocks.flatMap(({ cells }) => cells.map(({ name }) => [name])),
    driftMax: 0.05,
    attemptsMax: 6,
    endsAtMs: Number.POSITIVE_INFINITY,
    turns: 1,
    scale: SCALE,
    warmUp: WARM_UP,
    onProgress: () => undefined,
    onRound: (round) => void rounds.push(round),
    ...options,
  });
}

const STEADY = controlOf(100);
const ENDLESS = { attemptsMax: Number.POSITIVE_INFINITY };
const drifts = () =>
  rounds.map((round) => Math.round(driftAround(round, [...round.looks.keys()]) * 1_000));

it('each round begins with another block and each block with another cell, every other round backwards', async () => {
  await run([block('a', 'a1', 'a2'), block('b', 'b1', 'b2', 'b3')], STEADY);
  expect(measured.join(' ')).toBe('a1 a2 b1 b2 b3 b3 b2 b1 a2 a1 b2 b3 b1 a2 a1');
  expect(rounds).toHaveLength(6);
});

it('no cell comes more often after one than after another', async () => {
  await run([block('a', 'a1', 'a2', 'a3')], STEADY, { rounds: 6 });
  const orders = rounds.map((_round, at) => measured.slice(at * 3, at * 3 + 3).join(' '));
  expect(new Set(orders).size).toBe(6);
});

it('the cells of a group come one after the other, each as often before the other as after it', async () => {
  const cells = ['a1', 'a2', 'a3', 'b', 'c'].map((name) => ({
    ...cell(name),
    ...(name.startsWith('a') ? {} : { group: 'b and c' }),
  }));
  await run([{ name: 'a', cells }], STEADY, { rounds: 8, attemptsMax: 8 });
  const orders = rounds.map((_round, at) => measured.slice(at * 5, at * 5 + 5).join(' '));
  expect(orders.filter((order) => order.includes('b c'))).toHaveLength(4);
  expect(orders.filter((order) => order.includes('c b'))).toHaveLength(4);
  expect(new Set(orders).size).toBe(8);
});

describe('a round', () => {
  it('counts for a cell unless the control drifts by more than 5 % around it, up or down, and is then run again for that alone', async () => {
    const control = controlOf(100, 100, 106, 110, 110, 110, 105, 105, 99, 103);
    await run([block('a', 'a1', 'a2'), block('b', 'b1')], control, { rounds: 1 });
    expect(measured.join(' ')).toBe('a1 a2 b1 a1 a1');
    expect(drifts()).toEqual([100, 48, 61, 0]);
  });

  it('counts for two sides of a ratio when the control is the same around both', async () => {
    const control = controlOf(100, 100, 104, 108, 108, 100, 101, 102);
    const options = { rounds: 1, comparisons: [['a1', 'a2']] };
    await run([block('a', 'a1', 'a2')], control, options);
    expect(measured.join(' ')).toBe('a1 a2 a2 a1');
    expect(drifts()).toEqual([80, 20]);
  });

  it('is run again with both sides of a ratio that lacks it, though each of them alone has enough', async () => {
    const control = controlOf(100, 100, 100, 200, 200, 100);
    const options = { rounds: 1, comparisons: [['a1'], ['a2'], ['a1', 'a2']] };
    await run([block('a', 'a1', 'a2')], control, options);
    expect(measured.join(' ')).toBe('a1 a2 a2 a1');
  });

  it('is not run for ever', async () => {
    let looks = 0;
    await run([block('a', 'a1')], async () => 100 * 2 ** looks++, { rounds: 2, attemptsMax: 4 });
    expect(drifts()).toEqual(Array.from({ length: 4 }, () => 1_000));
  });

  it('is not begun when the time is over, but the first', async () => {
    await run([block('a', 'a1'), block('b', 'b1')], STEADY, { ...ENDLESS, endsAtMs: 0 });
    expect(measured).toEqual(['a1', 'b1']);
  });

  it('is run as often as it takes where only the time is a bound', async () => {
    const unsteadyAtFirst = controlOf(...Array.from({ length: 41 }, (_, look) => 2 ** look));
    await run([block('a', 'a1')], unsteadyAtFirst, { ...ENDLESS, rounds: 2 });
    expect(drifts().slice(-3)).toEqual([1_000, 0, 0]);
    expect(rounds).toHaveLength(22);
  });

  it('is told as soon as it is over', async () => {
    const toldAt: string[][] = [];
    const onRound = () => void toldAt.push([...measured]);
    await run([block('a', 'a1'), block('b', 'b1')], STEADY, { rounds: 1, onRound });
    expect(toldAt).toEqual([['a1'], ['a1', 'b1']]);
  });
});

describe('the control', () => {
  let steps: string[];
  const told = (name: string, group?: string): Cell => ({
    ...cell(name),
    group,
    measure: async (_world, { factor }, bounds) => {
      const isMeasured = factor === SCALE.factor;
      const tell = (step: string) => void (isMeasured && steps.push(`${step} ${name}`));
      for (let turn = 0; turn < bounds.turns; turn += 1) {
        tell('ready');
        await bounds.begin();
        tell('work');
        await bounds.end();
      }
      tell('check');
      return makeSample();
    },
  });
  const look: Control = async () => {
    steps.push('look');
    return 100;
  };
  beforeEach(() => {
    steps = [];
  });

  it('is looked at right before and right after the work of a cell', async () => {
    await run([{ name: 'a', cells: [told('a1'), told('a2')] }], look, { rounds: 1 });
    const each = (name: string) => `ready ${name} look work ${name} look check ${name}`;
    expect(steps.join(' ')).toBe(`look ${each('a1')} ${each('a2')}`);
  });

  it('is looked at once between the cells of a group, which are ready before it and checked when both are done', async () => {
    const cells = [told('a1', 'group'), told('a2', 'group')];
    await run([{ name: 'a', cells }], look, { rounds: 1 });
    expect(steps.join(' ')).toBe(
      'look ready a1 ready a2 look work a1 look work a2 look check a1 check a2',
    );
  });

  it('is looked at in every turn, of which every other goes backwards, and nothing is checked before the last', async () => {
    const cells = [told('a1', 'group'), told('a2', 'group')];
    await run([{ name: 'a', cells }], look, { rounds: 1, turns: 2 });
    const ready = 'ready a1 ready a2 look';
    expect(steps.join(' ')).toBe(
      `look ${ready} work a1 look work a2 look ${ready} work a2 look work a1 look check a1 check a2`,
    );
  });
});

describe('of several turns', () => {
  const sideBySide = (...cells: Cell[]): Block[] => [
    { name: 'a', cells: cells.map((one) => ({ ...one, group: 'group' })) },
  ];
  const TWICE = { rounds: 1, turns: 2 };

  it('a cell has the mean of the looks before them, and of those after them', async () => {
    const control = controlOf(1, 100, 200, 300, 400, 500, 600);
    await run(sideBySide(cell('a1'), cell('a2')), control, TWICE);
    expect([...(rounds[0]?.looks ?? [])]).toEqual([
      ['a1', [300, 400]],
      ['a2', [300, 400]],
    ]);
  });

  it('one that fails is told, and the others have theirs', async () => {
    let works = 0;
    const failing = cell('bad', () => {
      works += 1;
      return works === 3 ? new Error('no connection') : makeSample();
    });
    await run(sideBySide(failing, cell('good')), STEADY, { rounds: 1, turns: 3 });
    expect(works).toBe(3);
    expect(rounds.map(({ samples, faults }) => [[...samples.keys()], faults])).toEqual([
      [['good'], ['bad: no connection']],
    ]);
  });

  it('a look that fails ends the run, and lets nobody wait', async () => {
    let looks = 0;
    const failing: Control = async () => {
      looks += 1;
      if (looks === 3) throw new Error('no server');
      return 100;
    };
    let isLeft = false;
    const waiting: Cell = {
      ...cell('a1'),
      measure: async (_world, _scale, bounds) => {
        for (let turn = 0; turn < bounds.turns; turn += 1) {
          await bounds.begin();
          await bounds.end();
        }
        isLeft = bounds.turns > 1;
        return makeSample();
      },
    };
    await expect(run(sideBySide(waiting), failing, TWICE)).rejects.toThrow('no server');
    await new Promise(setImmediate);
    expect(isLeft).toBe(true);
  });
});

describe('warming up', () => {
  it('is a part of the work, more where a cell asks for it, as little as the rest in a quick run', async () => {
    const factors: number[] = [];
    const large: Cell = {
      ...cell('a1'),
      warmUpTimes: 8,
      measure: async (_world, { factor }, bounds) => {
        factors.push(factor);
        await bounds.begin();
        await bounds.end();
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

  const unprepared: Cell = {
    ...cell('bad'),
    measure: () => Promise.reject(new Error('no connection')),
  };
  it.each([
    { at: 0, when: 'at its work', failing: cell('bad', () => new Error('no connection')) },
    { at: 1, when: 'at its work', failing: cell('bad', () => new Error('no connection')) },
    { at: 0, when: 'before', failing: unprepared },
    { at: 1, when: 'before', failing: unprepared },
  ])(
    'of a group that fails $when as number $at is told, and the other has its figures',
    async ({ at, failing }) => {
      const cells = [cell('good'), cell('good')].map((one) => ({ ...one, group: 'group' }));
      cells[at] = { ...failing, group: 'group' };
      await run([{ name: 'a', cells }], STEADY, { rounds: 1 });
      expect(done()).toEqual([{ names: ['good'], faults: ['bad: no connection'] }]);
      expect([...(rounds[0]?.looks.keys() ?? [])].sort()).toEqual(['bad', 'good']);
    },
  );

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
