import { makeBatchLoader } from '../../../../shared/platform/batch-loader.ts';

/** Batches that load until the test ends them. */
function holdBatches() {
  const batches: { items: readonly number[]; end: (failure?: Error) => void }[] = [];
  const load = (items: readonly number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      batches.push({
        items,
        end: (failure) => (failure ? reject(failure) : resolve(items.map((item) => item * 10))),
      });
    });
  return { batches, load };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Two turns of the event loop: one for the end of a batch, one for the start of the next. */
const settled = async () => {
  await turn();
  await turn();
};

describe('a batch loader', () => {
  it('loads a call that comes alone in the same turn', async () => {
    const { batches, load } = holdBatches();
    const call = makeBatchLoader(load, { itemsMax: 10 });
    const result = call(1);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1]]);
    batches[0]?.end();
    expect(await result).toBe(10);
  });

  it('gathers the calls that arrive while a batch is loading, in order and up to its size', async () => {
    const { batches, load } = holdBatches();
    const call = makeBatchLoader(load, { itemsMax: 2 });
    const first = call(1);
    await settled();
    const results = Promise.all([2, 3, 4].map(call));
    for (let index = 0; index < 3; index += 1) {
      await settled();
      batches[index]?.end();
    }
    expect([await first, ...(await results)]).toEqual([10, 20, 30, 40]);
    expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3], [4]]);
  });

  it('keeps the calls of one batch together in their next loaders', async () => {
    const asked: number[][] = [];
    const options = { itemsMax: 10 };
    const step = () =>
      makeBatchLoader(async (items: readonly number[]) => {
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

  it('lingers after a shared batch and after the next one, and not when calls come alone', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { batches, load } = holdBatches();
      const call = makeBatchLoader(load, { itemsMax: 10, lingerMs: 20 });
      const begun = () => batches.map(({ items }) => items);
      const endLast = async () => {
        batches.at(-1)?.end();
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
      await settled();
      expect(begun()).toEqual([[1], [2, 3]]);
      jest.advanceTimersByTime(1);
      await settled();
      expect(begun()).toEqual([[1], [2, 3], [4]]);
      await endLast();
      void call(5);
      await settled();
      expect(begun()).toHaveLength(3);
      jest.advanceTimersByTime(20);
      await settled();
      await endLast();
      void call(6);
      await settled();
      expect(begun()).toEqual([[1], [2, 3], [4], [5], [6]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('loads the items of a failed batch one by one, so that only the caller with bad input gets the error', async () => {
    const call = makeBatchLoader(
      async (items: readonly number[]) => {
        if (items.includes(3)) throw new Error('three');
        return items.map((item) => item * 10);
      },
      { itemsMax: 10 },
    );
    const results = await Promise.allSettled([1, 2, 3, 4].map(call));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('does not repeat a batch that must not run twice, and rejects all of its calls', async () => {
    const { batches, load } = holdBatches();
    const call = makeBatchLoader(load, { itemsMax: 10, isRepeatable: false });
    const first = call(1);
    await settled();
    const results = Promise.allSettled([first, ...[2, 3].map(call)]);
    batches[0]?.end();
    await settled();
    batches[1]?.end(new Error('gone'));
    expect((await results).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(batches).toHaveLength(2);
  });

  it('rejects a call when the number of results differs from the number of items', async () => {
    const call = makeBatchLoader(async () => [], { itemsMax: 1 });
    await expect(call(1)).rejects.toThrow('another number');
  });
});
