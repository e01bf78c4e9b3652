import { makeFeedMark } from '../../../shared/store/registry/feed/feed-mark.ts';

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000);
const snapshot = (seconds: number, oldest: bigint, next: bigint) => ({
  at: at(seconds),
  oldest,
  next,
});

it('follows the time while no transaction is open', () => {
  const mark = makeFeedMark();
  expect(mark.observe(snapshot(0, 10n, 10n))).toEqual({ mark: at(0), lagSeconds: 0 });
  expect(mark.observe(snapshot(5, 12n, 12n))).toEqual({ mark: at(5), lagSeconds: 0 });
});

it('stands still behind an open transaction, while the lag rises, and catches up when it ends', () => {
  const mark = makeFeedMark();
  mark.observe(snapshot(0, 10n, 10n));
  expect(mark.observe(snapshot(30, 10n, 14n))).toEqual({ mark: at(0), lagSeconds: 30 });
  expect(mark.observe(snapshot(61, 10n, 20n))).toEqual({ mark: at(0), lagSeconds: 61 });
  expect(mark.observe(snapshot(70, 15n, 22n))).toEqual({ mark: at(30), lagSeconds: 40 });
  expect(mark.observe(snapshot(71, 22n, 22n))).toEqual({ mark: at(71), lagSeconds: 0 });
});

it('does not know the mark of a process that started behind an open transaction', () => {
  const mark = makeFeedMark();
  expect(mark.observe(snapshot(0, 10n, 14n))).toEqual({ mark: null, lagSeconds: 0 });
  expect(mark.observe(snapshot(9, 10n, 15n))).toEqual({ mark: null, lagSeconds: 9 });
  expect(mark.observe(snapshot(10, 14n, 15n))).toEqual({ mark: at(0), lagSeconds: 10 });
});
