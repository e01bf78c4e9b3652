import { makePace } from './pace.ts';

/** What is taken whenever it is looked for, one after the other; the last again and again. */
function taking(...counts: readonly number[]) {
  let look = 0;
  return async () => counts[Math.min(look++, counts.length - 1)] ?? 0;
}

async function isHeld(promise: Promise<void>): Promise<boolean> {
  return Promise.race([
    promise.then(() => false),
    new Promise<boolean>((done) => setImmediate(() => done(true))),
  ]);
}

describe('a load that is kept up', () => {
  it('sends one more only when one is taken', async () => {
    const pace = makePace({ countTaken: taking(1), waitingMax: 2 });
    await pace.hold();
    await pace.hold();
    const third = pace.hold();
    const fourth = pace.hold();
    expect(await isHeld(third)).toBe(true);
    await pace.reach(1);
    expect([await isHeld(third), await isHeld(fourth)]).toEqual([false, true]);
    pace.stop();
    await fourth;
    await pace.hold();
    expect(pace.signal.aborted).toBe(true);
  });

  it('begins and ends where a batch was taken, not at a look between two', async () => {
    const pace = makePace({ countTaken: taking(2, 4, 4, 4, 7, 7, 9), waitingMax: 10 });
    expect(await pace.reach(3)).toMatchObject({ taken: 4 });
    // Four were taken before it was asked for: only with the next does the clock of a window begin.
    expect(await pace.reach(4)).toMatchObject({ taken: 7 });
    expect(await pace.reach(8)).toMatchObject({ taken: 9 });
  });

  it('begins when as many wait as are kept waiting, not while they come to be', async () => {
    const looks: ((taken: number) => void)[] = [];
    const countTaken = async () => new Promise<number>((answer) => looks.push(answer));
    const pace = makePace({ countTaken, waitingMax: 3 });
    const full = pace.reachFull(2);
    await pace.hold();
    await pace.hold();
    looks.shift()?.(2);
    await new Promise(setImmediate);
    for (let sent = 2; sent < 5; sent += 1) await pace.hold();
    const sixth = pace.hold();
    expect(await isHeld(sixth)).toBe(true);
    looks.shift()?.(4);
    expect(await full).toMatchObject({ taken: 4 });
    expect(await isHeld(sixth)).toBe(false);
  });

  it('begins without when workers take as fast as is accepted', async () => {
    const pace = makePace({ countTaken: taking(2, 4, 5, 6, 7), waitingMax: 3 });
    expect(await pace.reachFull(2)).toMatchObject({ taken: 5 });
  });

  it('ends with the error of the count', async () => {
    const countTaken = async () => Promise.reject(new Error('the connection was closed'));
    const pace = makePace({ countTaken, waitingMax: 1 });
    await expect(pace.reach(1)).rejects.toThrow('the connection was closed');
  });
});
