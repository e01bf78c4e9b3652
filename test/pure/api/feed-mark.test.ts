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

it('gives a snapshot no later mark than its own, whatever was noted before it', () => {
  const mark = makeFeedMark();
  expect(mark.observe(snapshot(2, 12n, 12n)).mark).toEqual(at(2));
  expect(mark.observe(snapshot(1, 11n, 11n)).mark).toEqual(at(1));
  expect(mark.observe(snapshot(3, 11n, 13n)).mark).toEqual(at(1));
  expect(mark.observe(snapshot(4, 12n, 14n)).mark).toEqual(at(2));
});

it('keeps a mark while far more snapshots than it needs are noted', () => {
  const mark = makeFeedMark();
  mark.observe(snapshot(0, 10n, 10n));
  for (let noted = 1; noted <= 5_000; noted += 1)
    expect(mark.observe(snapshot(noted / 100, 10n, 20n)).mark).toEqual(at(0));
  expect(mark.observe(snapshot(51, 20n, 20n)).mark).toEqual(at(51));
});

it('does not know the mark of a process that started behind an open transaction', () => {
  const mark = makeFeedMark();
  expect(mark.observe(snapshot(0, 10n, 14n))).toEqual({ mark: null, lagSeconds: 0 });
  expect(mark.observe(snapshot(9, 10n, 15n))).toEqual({ mark: null, lagSeconds: 9 });
  expect(mark.observe(snapshot(10, 14n, 15n))).toEqual({ mark: at(0), lagSeconds: 10 });
});
