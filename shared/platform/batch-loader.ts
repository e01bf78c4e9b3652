export interface BatchLoaderOptions {
  readonly itemsMax: number;
  /**
   * Under load, the least number of milliseconds from the start of a batch to the start of the next, so that more calls
   * share one. A call that comes alone does not wait.
   */
  readonly lingerMs?: number;
  /** False if a batch must not run twice: when it fails, all of its calls are rejected. */
  readonly isRepeatable?: boolean;
}

interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes a function for one item that gathers calls and loads their items together with `load`, one batch after another.
 * A batch has the calls of one turn of the event loop, and those that arrived while the batch before was loading. Calls of
 * one batch get their results in the same turn, so they share the batch of their next loader, too.
 *
 * `load` returns one result per item, in their order. When it fails, the items are loaded one by one, so that one caller's
 * bad input is not another caller's error.
 */
export function makeBatchLoader<Item, Result>(
  load: (items: readonly Item[]) => Promise<readonly Result[]>,
  { itemsMax, lingerMs = 0, isRepeatable = true }: BatchLoaderOptions,
): (item: Item) => Promise<Result> {
  const waiting: Call<Item, Result>[] = [];
  let isLoading = false;

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isLoading) void loadWaiting();
    });

  async function loadWaiting(): Promise<void> {
    isLoading = true;
    let wasShared = false;
    for (await nextTurn(); waiting.length > 0; await nextTurn()) {
      const batch = waiting.splice(0, itemsMax);
      const isShared = batch.length > 1;
      const lingering = lingerMs > 0 && (isShared || wasShared) ? sleep(lingerMs) : undefined;
      wasShared = isShared;
      await loadBatch(batch);
      await lingering;
    }
    isLoading = false;
  }

  async function loadBatch(batch: readonly Call<Item, Result>[]): Promise<void> {
    try {
      const results = await load(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('a batch has another number of results');
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length > 1 && isRepeatable) for (const call of batch) await loadBatch([call]);
      else for (const { reject } of batch) reject(error);
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
