export interface BatcherOptions {
  /** Items of one run at most. */
  readonly itemsMax: number;
  /** Runs under way at most; what arrives meanwhile is gathered. */
  readonly runsMax: number;
  /**
   * Milliseconds from the beginning of a run to that of the next at least, when it or the one before was shared: under
   * load more calls share one.
   */
  readonly gapMs?: number;
  /** False for a run that must not happen twice: all calls of one that fails are rejected. */
  readonly isRepeatable?: boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers calls of one turn of the event loop, and those that arrive while others are under way, and runs them together:
 * alone, a call waits for no other; under load, many share one round trip, and who shared one asks for the next in one
 * turn, so that they stay together. `run` answers one result an item, in their order. A repeatable run that fails is
 * repeated item by item, so that one caller's trouble is not another's.
 */
export function makeBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { itemsMax, runsMax, gapMs = 0, isRepeatable = true }: BatcherOptions,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isResting = false;
  let isDue = false;
  let wasShared = false;

  const runSoon = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      runNext();
    });
  };
  const runNext = (): void => {
    if (isResting || running >= runsMax || waiting.length === 0) return;
    const batch = waiting.splice(0, itemsMax);
    const isShared = batch.length > 1;
    if (gapMs > 0 && (isShared || wasShared)) rest();
    wasShared = isShared;
    running += 1;
    void settle(batch).finally(() => {
      running -= 1;
      runSoon();
    });
  };
  const rest = (): void => {
    isResting = true;
    setTimeout(() => {
      isResting = false;
      runNext();
    }, gapMs);
  };
  const settle = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('a batch has another number of results');
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length > 1 && isRepeatable) for (const one of batch) await settle([one]);
      else for (const { reject } of batch) reject(error);
    }
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      runSoon();
    });
}
