import fc from 'fast-check';
import { makeBursts } from '../../../../shared/platform/bursts.ts';

const OPTIONS = { gapMs: 100, size: 2, waitMsMax: 500 };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Who has gone on, in their order. */
function makeLog(options = OPTIONS) {
  const bursts = makeBursts(options);
  const begun: string[] = [];
  return {
    begun,
    ask: (name: string, who = 'pool') => void bursts.untilNext(who).then(() => begun.push(name)),
    pass: (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds),
  };
}

describe('bursts', () => {
  it('begin at once for the first, and a gap later for those after it, so many together in their order', async () => {
    const { begun, ask, pass } = makeLog();
    for (const name of ['a', 'b', 'c', 'd']) ask(name);
    await pass(0);
    expect(begun).toEqual(['a']);
    await pass(99);
    expect(begun).toEqual(['a']);
    await pass(1);
    expect(begun).toEqual(['a', 'b', 'c']);
    await pass(100);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are each one’s own', async () => {
    const { begun, ask, pass } = makeLog();
    ask('a');
    ask('b');
    ask('other', 'small');
    await pass(0);
    expect(begun).toEqual(['a', 'other']);
  });

  it('begin at once again after a gap in which nobody came', async () => {
    const { begun, ask, pass } = makeLog();
    ask('a');
    await pass(100);
    ask('b');
    await pass(0);
    expect(begun).toEqual(['a', 'b']);
    expect(jest.getTimerCount()).toBe(1);
    await pass(100);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are larger for a crowd, and of the usual size after it', async () => {
    const { begun, ask, pass } = makeLog();
    for (let n = 0; n <= 50; n += 1) ask(`${n}`);
    await pass(500);
    expect(begun).toHaveLength(51);
    for (const name of ['a', 'b', 'c']) ask(name);
    await pass(100);
    expect(begun.slice(51)).toEqual(['a', 'b']);
  });

  it('keep nobody longer than is allowed, and everybody in order, whoever comes when', async () => {
    const pauses = fc.array(fc.tuple(fc.nat(150), fc.nat(40)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(pauses, async (arrivals) => {
        const bursts = makeBursts(OPTIONS);
        const begun: number[] = [];
        const waitedMs: number[] = [];
        let asked = 0;
        for (const [pauseMs, count] of arrivals) {
          await jest.advanceTimersByTimeAsync(pauseMs);
          for (let n = 0; n < count; n += 1) {
            const name = asked;
            const at = Date.now();
            asked += 1;
            void bursts.untilNext('pool').then(() => {
              begun.push(name);
              waitedMs.push(Date.now() - at);
            });
          }
        }
        await jest.advanceTimersByTimeAsync(OPTIONS.waitMsMax);
        expect(begun).toEqual(Array.from({ length: asked }, (_, n) => n));
        expect(Math.max(0, ...waitedMs)).toBeLessThanOrEqual(OPTIONS.waitMsMax);
        await jest.runAllTimersAsync();
      }),
    );
  });
});
