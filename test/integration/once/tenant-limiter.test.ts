import {
  CONTENTION_WINDOW_MS,
  makeTenantLimiter,
  SLOT_TIMEOUT_MS,
  type TenantLimiter,
} from '../../../api/throttle/tenant-limiter.ts';

const SLOTS = 2;

let limiter: TenantLimiter;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  limiter = makeTenantLimiter(SLOTS);
});
afterEach(() => jest.useRealTimers());

/** Everything that can begin has begun after this. */
const settled = () => new Promise((done) => setImmediate(done));

async function pass(milliseconds: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(milliseconds);
  await settled();
}

/** Work that lasts until the test ends it. */
class Work {
  hasBegun = false;
  end = (): void => undefined;
  fail = (_error: Error): void => undefined;
  readonly ended: Promise<void>;

  constructor(tenantId: string) {
    this.ended = limiter.run(tenantId, () => {
      this.hasBegun = true;
      return new Promise<void>((resolve, reject) => {
        this.end = resolve;
        this.fail = reject;
      });
    });
  }
}

const startWork = (tenantId: string, count: number) =>
  Array.from({ length: count }, () => new Work(tenantId));
const begun = (works: readonly Work[]) => works.map(({ hasBegun }) => hasBegun);

describe('the tenant limiter', () => {
  it('does not limit a lone tenant', async () => {
    const bulk = startWork('bulk', 4);
    await settled();
    expect(begun(bulk)).toEqual([true, true, true, true]);
  });

  it('starts the work of a tenant with free slots at once, and limits the tenant that has none', async () => {
    const bulk = startWork('bulk', 3);
    const small = startWork('small', 1);
    const more = startWork('bulk', 2);
    await settled();
    expect(begun([...small, ...more])).toEqual([true, false, false]);
    // Three ran when the second tenant came; two are left, so no slot is free yet.
    bulk[0]?.end();
    await settled();
    expect(begun(more)).toEqual([false, false]);
    bulk[1]?.end();
    await settled();
    expect(begun(more)).toEqual([true, false]);
  });

  it('limits for the contention window after two tenants overlapped, and starts waiting work when it ends', async () => {
    const [small] = startWork('small', 1);
    await settled();
    small?.end();
    const bulk = startWork('bulk', 3);
    await small?.ended;
    await settled();
    await pass(CONTENTION_WINDOW_MS - 1);
    const next = startWork('bulk', SLOTS + 2);
    await settled();
    expect(begun([...bulk, ...next])).toEqual([true, true, true, true, true, false, false]);
    await pass(1);
    const last = startWork('bulk', 1);
    await settled();
    expect(begun([...next, ...last])).not.toContain(false);
  });

  it('begins a new contention window each time that tenants overlap', async () => {
    startWork('bulk', 1);
    startWork('small', 1);
    await settled();
    await pass(CONTENTION_WINDOW_MS / 2);
    startWork('bulk', 1);
    startWork('small', 1);
    await settled();
    await pass(CONTENTION_WINDOW_MS - 1);
    const bulk = startWork('bulk', SLOTS + 1);
    await settled();
    expect(begun(bulk)).toEqual([true, true, false]);
  });

  it('limits for longer while two tenants still overlap', async () => {
    const works = ['bulk', 'small', 'bulk', 'small'].flatMap((tenantId) =>
      startWork(tenantId, SLOTS * 3),
    );
    await pass(CONTENTION_WINDOW_MS);
    // Each slot is held for SLOT_TIMEOUT_MS, so work of both tenants still waits.
    expect(begun(works)).toContain(false);
    await pass(CONTENTION_WINDOW_MS);
    expect(begun(works)).not.toContain(false);
  });

  it('frees the slot of work that hangs', async () => {
    startWork('small', 1);
    const bulk = startWork('bulk', 5);
    await settled();
    expect(begun(bulk)).toEqual([true, true, false, false, false]);
    await pass(SLOT_TIMEOUT_MS);
    expect(begun(bulk)).toEqual([true, true, true, true, false]);
    // It has given its slot back already, so its end frees none.
    bulk[0]?.end();
    await settled();
    expect(begun(bulk)).toEqual([true, true, true, true, false]);
    bulk[2]?.end();
    await settled();
    expect(begun(bulk)).toEqual([true, true, true, true, true]);
  });

  it('returns the result of work that outlasted its slot', async () => {
    const result = limiter.run('bulk', async () => {
      await new Promise((resolve) => setTimeout(resolve, SLOT_TIMEOUT_MS * 2));
      return 'late';
    });
    await settled();
    await pass(SLOT_TIMEOUT_MS * 2);
    expect(await result).toBe('late');
  });

  it('tells the caller about a failure and starts the next work', async () => {
    startWork('small', 1);
    const bulk = startWork('bulk', 3);
    await settled();
    expect(begun(bulk)).toEqual([true, true, false]);
    bulk[0]?.fail(new Error('refused'));
    await expect(bulk[0]?.ended).rejects.toThrow('refused');
    await settled();
    expect(begun(bulk)).toEqual([true, true, true]);
  });

  it('forgets a tenant that has no work, so that one that comes later is alone', async () => {
    const [first] = startWork('small', 1);
    await settled();
    first?.end();
    await first?.ended;
    await settled();
    const later = startWork('bulk', 3);
    await settled();
    expect(begun(later)).toEqual([true, true, true]);
  });
});
