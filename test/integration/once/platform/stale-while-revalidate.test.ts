import { setTimeout as sleep } from 'node:timers/promises';
import { staleWhileRevalidate } from '../../../../shared/platform/stale-while-revalidate.ts';

let started: number;
let now: number;
beforeEach(() => {
  started = 0;
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const readFor = (ms: number) => async () => {
  started += 1;
  await sleep(1);
  now += ms;
  return started;
};

describe('stale-while-revalidate', () => {
  it('reads once for all callers, and again after the refresh interval', async () => {
    const get = staleWhileRevalidate(readFor(10), { refreshMs: 1_000 });
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
    now += 980;
    expect(await get()).toBe(1);
    now += 20;
    expect(await get()).toBe(2);
  });

  it('repeats a slow read less often, so that reads take little of the time', async () => {
    const get = staleWhileRevalidate(readFor(200), { refreshMs: 1_000 });
    await get();
    now += 3_700;
    expect(await get()).toBe(1);
    now += 200;
    expect(await get()).toBe(2);
  });

  it('refreshes after ten seconds, however slow the read is', async () => {
    const get = staleWhileRevalidate(readFor(3_000), { refreshMs: 1_000 });
    await get();
    now += 7_000;
    expect(await get()).toBe(2);
  });

  it('does not let later callers wait for a read that never ends', async () => {
    const get = staleWhileRevalidate(
      () => {
        started += 1;
        return started === 1 ? new Promise<number>(() => undefined) : Promise.resolve(started);
      },
      { refreshMs: 1_000 },
    );
    void get();
    now += 1_000;
    expect(await get()).toBe(2);
  });

  it('returns the last value during a refresh while it is not too stale', async () => {
    const get = staleWhileRevalidate(readFor(500), { refreshMs: 1_000, maxStaleMs: 1_000 });
    expect(await get()).toBe(1);
    now += 9_500;
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    expect(started).toBe(2);
    await sleep(10);
    expect(await get()).toBe(2);
    now += 10_500;
    expect(await get()).toBe(3);
  });

  it('reports a failed refresh only to callers that wait for it', async () => {
    const get = staleWhileRevalidate(
      async () => {
        started += 1;
        if (started > 1) throw new Error('out of reach');
        return started;
      },
      { refreshMs: 1_000, maxStaleMs: 1_000 },
    );
    expect(await get()).toBe(1);
    now += 1_500;
    expect(await get()).toBe(1);
    now += 1_000;
    await expect(get()).rejects.toThrow('out of reach');
  });

  it('reports a failed read to all callers that wait for it, and reads again', async () => {
    const get = staleWhileRevalidate(
      async () => {
        started += 1;
        if (started === 1) throw new Error('out of reach');
        return started;
      },
      { refreshMs: 1_000 },
    );
    const outcomes = await Promise.allSettled([get(), get()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    now += 1_000;
    expect(await get()).toBe(2);
  });
});
