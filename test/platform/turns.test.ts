import { MET_MS, makeTurns } from '../../shared/platform/turns.ts';

const PLACES = 2;
let nowMs = 0;
const turnsNow = () => makeTurns(PLACES, () => nowMs);

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
    const turns = turnsNow();
    const many = [1, 2, 3, 4].map(() => ask(turns, 'pool'));
    await settled();
    expect(begun(many)).toEqual([true, true, true, true]);
  });

  it('come at once to who has few, and keep who has many to its places', async () => {
    const turns = turnsNow();
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
    const turns = turnsNow();
    const few = ask(turns, 'small');
    const many = [1, 2, 3, 4].map(() => ask(turns, 'pool'));
    few.asked.end();
    await few.ended;
    nowMs += MET_MS - 1;
    many[0]?.asked.end();
    await settled();
    expect(begun(many)).toEqual([true, true, true, false]);
    nowMs += 1;
    const last = ask(turns, 'pool');
    await settled();
    // Nobody passes those that wait, which begin when the next one ends.
    expect(begun([...many, last])).toEqual([true, true, true, false, false]);
    many[1]?.asked.end();
    await settled();
    expect(begun([...many, last])).toEqual([true, true, true, true, true]);
  });

  it('go on to the next one when one fails, and tell its caller', async () => {
    const turns = turnsNow();
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
    const turns = turnsNow();
    const first = ask(turns, 'small');
    first.asked.end();
    await first.ended;
    const again = [1, 2, 3].map(() => ask(turns, 'small'));
    await settled();
    expect(begun(again)).toEqual([true, true, true]);
  });
});
