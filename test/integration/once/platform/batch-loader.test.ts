import { makeBatcher } from '../../../../shared/platform/batch-loader.ts';

/** A run that ends when it is told to. */
function makeGate() {
  const runs: { items: readonly number[]; end: (failure?: Error) => void }[] = [];
  const run = (items: readonly number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      runs.push({
        items,
        end: (failure) => (failure ? reject(failure) : resolve(items.map((item) => item * 10))),
      });
    });
  return { runs, run };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Two turns of the event loop: in one a run's end is seen, in the other the next one begins. */
const settled = async () => {
  await turn();
  await turn();
};

describe('a batcher', () => {
  it('runs a call that comes alone in the turn in which it comes', async () => {
    const { runs, run } = makeGate();
    const call = makeBatcher(run, { itemsMax: 10, runsMax: 1 });
    const result = call(1);
    await turn();
    expect(runs.map(({ items }) => items)).toEqual([[1]]);
    runs[0]?.end();
    expect(await result).toBe(10);
  });

  it('gathers what comes while its runs are under way, in order and up to its size', async () => {
    const { runs, run } = makeGate();
    const call = makeBatcher(run, { itemsMax: 2, runsMax: 1 });
    const first = call(1);
    await settled();
    const results = Promise.all([2, 3, 4].map(call));
    for (let index = 0; index < 3; index += 1) {
      await settled();
      runs[index]?.end();
    }
    expect([await first, ...(await results)]).toEqual([10, 20, 30, 40]);
    expect(runs.map(({ items }) => items)).toEqual([[1], [2, 3], [4]]);
  });

  it('keeps together who was answered together, from one round trip to the next', async () => {
    const asked: number[][] = [];
    const options = { itemsMax: 10, runsMax: 1 };
    const step = () =>
      makeBatcher(async (items: readonly number[]) => {
        asked.push([...items]);
        return items;
      }, options);
    const [first, second, third] = [step(), step(), step()];
    await Promise.all([1, 2, 3].map(async (item) => third(await second(await first(item)))));
    expect(asked).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('rests after runs that are shared and the one after them, and not when calls come alone', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { runs, run } = makeGate();
      const call = makeBatcher(run, { itemsMax: 10, runsMax: 1, gapMs: 20 });
      const begun = () => runs.map(({ items }) => items);
      const endLast = async () => {
        runs.at(-1)?.end();
        await settled();
      };
      const alone = call(1);
      await settled();
      const results = Promise.all([2, 3].map(call));
      await endLast();
      await endLast();
      expect([await alone, ...(await results)]).toEqual([10, 20, 30]);
      void call(4);
      await settled();
      jest.advanceTimersByTime(19);
      expect(begun()).toEqual([[1], [2, 3]]);
      jest.advanceTimersByTime(1);
      expect(begun()).toEqual([[1], [2, 3], [4]]);
      await endLast();
      void call(5);
      await settled();
      expect(begun()).toHaveLength(3);
      jest.advanceTimersByTime(20);
      await endLast();
      void call(6);
      await settled();
      expect(begun()).toEqual([[1], [2, 3], [4], [5], [6]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('repeats a run that fails item by item, so that one trouble stays with its caller', async () => {
    const call = makeBatcher(
      async (items: readonly number[]) => {
        if (items.includes(3)) throw new Error('three');
        return items.map((item) => item * 10);
      },
      { itemsMax: 10, runsMax: 1 },
    );
    const results = await Promise.allSettled([1, 2, 3, 4].map(call));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('runs what must not happen twice once: all calls of a run that fails are rejected', async () => {
    const { runs, run } = makeGate();
    const call = makeBatcher(run, { itemsMax: 10, runsMax: 1, isRepeatable: false });
    const first = call(1);
    await settled();
    const results = Promise.allSettled([first, ...[2, 3].map(call)]);
    runs[0]?.end();
    await settled();
    runs[1]?.end(new Error('gone'));
    expect((await results).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(runs).toHaveLength(2);
  });

  it('refuses results of another number, for the caller alone too', async () => {
    const call = makeBatcher(async () => [], { itemsMax: 1, runsMax: 1 });
    await expect(call(1)).rejects.toThrow('another number');
  });
});
