import { HELD_MS, MET_MS, makeTurns } from '../../../../shared/platform/turns.ts';

const PLACES = 2;

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** Everything that can go on does. */
const settled = () => new Promise((done) => setImmediate(done));

/** Asks for a turn that lasts until it is ended. */
function ask(turns: ReturnType<typeof makeTurns>, who: string) {
  const asked = { hasBegun: false, end: () => {}, fail: (_error: Error) => {} };
  const ended = turns.run(who, () => {
    asked.hasBegun = true;
    return new Promise<void>((resolve, reject) => {
      asked.end = resolve;
      asked.fail = reject;
    });
  });
  return { asked, ended };
}

const begun = (all: readonly ReturnType<typeof ask>[]) => all.map(({ asked }) => asked.hasBegun);

describe('turns', () => {
  it('are nobody’s to wait for who is alone', async () => {
    const turns = makeTurns(PLACES);
    const many = [1, 2, 3, 4].map(() => ask(turns, 'pool'));
    await settled();
    expect(begun(many)).toEqual([true, true, true, true]);
  });

  it('come at once to who has few, and keep who has many to its places', async () => {
    const turns = makeTurns(PLACES);
    const many = [1, 2, 3].map(() => ask(turns, 'pool'));
    const few = ask(turns, 'small');
    const more = [1, 2].map(() => ask(turns, 'pool'));
    await settled();
    expect(begun([few, ...more])).toEqual([true, false, false]);
    // One place less than three is two: still none to spare.
    many[0]?.asked.end();
    await settled();
    expect(begun(more)).toEqual([false, false]);
    many[1]?.asked.end();
    await settled();
    expect(begun(more)).toEqual([true, false]);
  });

  it('stay apart for a while after two have met, and no longer', async () => {
    const turns = makeTurns(PLACES);
    const few = ask(turns, 'small');
    await settled();
    few.asked.end();
    const many = [1, 2, 3].map(() => ask(turns, 'pool'));
    await few.ended;
    jest.advanceTimersByTime(MET_MS - HELD_MS);
    await settled();
    // The first two took too long.
    expect(begun(many)).toEqual([true, true, true]);
    const next = [1, 2, 3].map(() => ask(turns, 'pool'));
    jest.advanceTimersByTime(HELD_MS - 1);
    await settled();
    expect(begun(next)).toEqual([true, false, false]);
    jest.advanceTimersByTime(1);
    const last = ask(turns, 'pool');
    await settled();
    // Nobody passes those that wait, which begin when a place is left.
    expect(begun([...next, last])).toEqual([true, true, true, true]);
  });

  it('do not wait for work that hangs', async () => {
    const turns = makeTurns(PLACES);
    ask(turns, 'small');
    const many = [1, 2, 3, 4, 5].map(() => ask(turns, 'pool'));
    await settled();
    expect(begun(many)).toEqual([true, true, false, false, false]);
    jest.advanceTimersByTime(HELD_MS);
    await settled();
    expect(begun(many)).toEqual([true, true, true, true, false]);
    // It left its place before and leaves none when it ends.
    many[0]?.asked.end();
    await settled();
    expect(begun(many)).toEqual([true, true, true, true, false]);
    many[2]?.asked.end();
    await settled();
    expect(begun(many)).toEqual([true, true, true, true, true]);
  });

  it('go on to the next one when one fails, and tell its caller', async () => {
    const turns = makeTurns(PLACES);
    ask(turns, 'small');
    const many = [1, 2, 3].map(() => ask(turns, 'pool'));
    await settled();
    expect(begun(many)).toEqual([true, true, false]);
    many[0]?.asked.fail(new Error('refused'));
    await expect(many[0]?.ended).rejects.toThrow('refused');
    await settled();
    expect(begun(many)).toEqual([true, true, true]);
  });

  it('of one who has come back begin as those of a new one', async () => {
    const turns = makeTurns(PLACES);
    const first = ask(turns, 'small');
    await settled();
    first.asked.end();
    await first.ended;
    const again = [1, 2, 3].map(() => ask(turns, 'small'));
    await settled();
    expect(begun(again)).toEqual([true, true, true]);
  });
});
