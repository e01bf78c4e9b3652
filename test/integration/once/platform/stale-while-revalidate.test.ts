import { setTimeout as sleep } from 'node:timers/promises';
import { shareLooks } from '../../../../shared/platform/stale-while-revalidate.ts';

let began: number;
let now: number;
beforeEach(() => {
  began = 0;
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const lookFor = (ms: number) => async () => {
  began += 1;
  await sleep(1);
  now += ms;
  return began;
};

describe('a look that many share', () => {
  it('is one while it lasts and until the time is over', async () => {
    const look = shareLooks(lookFor(10), 1_000);
    expect(await Promise.all([look(), look(), look()])).toEqual([1, 1, 1]);
    now += 980;
    expect(await look()).toBe(1);
    now += 20;
    expect(await look()).toBe(2);
  });

  it('that takes long is repeated later, so that little of the time goes into it', async () => {
    const look = shareLooks(lookFor(200), 1_000);
    await look();
    now += 3_700;
    expect(await look()).toBe(1);
    now += 200;
    expect(await look()).toBe(2);
  });

  it('is never older than ten seconds, however long it takes', async () => {
    const look = shareLooks(lookFor(3_000), 1_000);
    await look();
    now += 7_000;
    expect(await look()).toBe(2);
  });

  it('that does not end is not waited for by who comes later', async () => {
    const look = shareLooks(() => {
      began += 1;
      return began === 1 ? new Promise<number>(() => undefined) : Promise.resolve(began);
    }, 1_000);
    void look();
    now += 1_000;
    expect(await look()).toBe(2);
  });

  it('keeps nobody while what was seen before may still be told', async () => {
    const look = shareLooks(lookFor(500), 1_000, 1_000);
    expect(await look()).toBe(1);
    now += 9_500;
    expect(await Promise.all([look(), look()])).toEqual([1, 1]);
    expect(began).toBe(2);
    await sleep(10);
    expect(await look()).toBe(2);
    now += 10_500;
    expect(await look()).toBe(3);
  });

  it('that fails is heard of by those alone who wait for it', async () => {
    const look = shareLooks(
      async () => {
        began += 1;
        if (began > 1) throw new Error('out of reach');
        return began;
      },
      1_000,
      1_000,
    );
    expect(await look()).toBe(1);
    now += 1_500;
    expect(await look()).toBe(1);
    now += 1_000;
    await expect(look()).rejects.toThrow('out of reach');
  });

  it('that fails, fails for all who share it, and is repeated', async () => {
    const look = shareLooks(async () => {
      began += 1;
      if (began === 1) throw new Error('out of reach');
      return began;
    }, 1_000);
    const outcomes = await Promise.allSettled([look(), look()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    now += 1_000;
    expect(await look()).toBe(2);
  });
});
