import { isReadDue, pauseMsOf } from '../../../../client/cli/batch/transmit/read-pace.ts';

/** The reads while so many transmissions are sent at this rate. Each page has rejections, so it costs a lookup too. */
function readsWhileSending(count: number, perSecond: number): number {
  let reads = 0;
  let [sentSince, startedAtMs] = [0, 0];
  for (let sent = 1; sent <= count; sent += 1) {
    const nowMs = (sent / perSecond) * 1_000;
    sentSince += 1;
    if (!isReadDue(sentSince, nowMs - startedAtMs)) continue;
    reads += 2;
    [sentSince, startedAtMs] = [0, nowMs];
  }
  return reads;
}

it.each([0.1, 1, 2, 10, 600])('at %s/s at most 2 %% of the requests are reads', (perSecond) => {
  const count = 10_000;
  const reads = readsWhileSending(count, perSecond);
  expect(reads).toBeGreaterThan(0);
  expect(reads / count).toBeLessThanOrEqual(0.02);
});

it('shows the outcomes of a slow sender while it sends', () => {
  expect(readsWhileSending(240, 2)).toBeGreaterThan(0);
});

it('a registry that is slow to decide is asked seldom once 1 % of the requests were reads', () => {
  expect(pauseMsOf({ sent: 100_000, reads: 999 })).toBe(1_000);
  expect(pauseMsOf({ sent: 100_000, reads: 1_000 })).toBe(30_000);
  expect(pauseMsOf({ sent: 1, reads: 59 })).toBe(1_000);
});
