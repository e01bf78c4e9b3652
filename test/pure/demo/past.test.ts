import { makePastDay } from '../../../ops/demo/past/past-certificates.ts';
import {
  type Burst,
  isWeekend,
  PAST_DAYS,
  planBursts,
  startOfDay,
} from '../../../ops/demo/past/plan-bursts.ts';
import { queueSamples } from '../../../ops/demo/past/queue-samples.ts';
import { makeSampleBatch } from '../../../ops/demo/sample-batch.ts';
import { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { groupBy } from '../../../shared/domain/group-by.ts';

const timeZone = 'Asia/Manila';
const today = '2026-11-28';
const now = new Date('2026-11-28T08:30:00Z');
const bursts = planBursts({ now, today, timeZone });

const secondsOf = ({ receivedAt, finishedAt }: Burst) =>
  (finishedAt.getTime() - receivedAt.getTime()) / 1_000;
const transmissionsOf = (some: readonly Burst[]) =>
  some.reduce((sum, { transmissions }) => sum + transmissions, 0);

describe('the planned past', () => {
  it('ends before now and is in the order of receipt and of processing', () => {
    const received = bursts.map(({ receivedAt }) => receivedAt.getTime());
    const finished = bursts.map(({ finishedAt }) => finishedAt.getTime());
    expect(received).toEqual(received.toSorted((one, other) => one - other));
    expect(finished).toEqual(finished.toSorted((one, other) => one - other));
    expect(finished.at(-1)).toBeLessThan(now.getTime());
    expect(bursts.every((burst) => secondsOf(burst) > 0)).toBe(true);
    expect(bursts[0]?.day).toBe(addDays(today, -PAST_DAYS));
    expect(bursts.at(-1)?.day).toBe(today);
  });

  it('has quiet nights and weekends, and grows', () => {
    const byDay = [...groupBy(bursts, ({ day }) => day)].filter(([day]) => day !== today);
    const [weekends, workingDays] = [true, false].map((isQuiet) =>
      byDay.filter(([day]) => isWeekend(day) === isQuiet).map(([, own]) => transmissionsOf(own)),
    );
    expect(byDay).toHaveLength(PAST_DAYS);
    expect(Math.max(...(weekends ?? []))).toBeLessThan(Math.min(...(workingDays ?? [])));
    expect(workingDays?.at(-1)).toBeGreaterThan(workingDays?.[0] ?? 0);
    const hours = bursts.map(({ day, receivedAt }) =>
      Math.floor((receivedAt.getTime() - startOfDay(day, timeZone).getTime()) / 3_600_000),
    );
    expect(Math.max(...hours)).toBeLessThan(19);
    expect(hours.filter((hour) => hour < 8 && hour !== 1)).toEqual([]);
  });

  it('has one day with a backlog, which lasts less than an hour, so that no hour is counted too early', () => {
    const late = bursts.filter((burst) => secondsOf(burst) > 60);
    expect(new Set(late.map(({ day }) => day))).toEqual(new Set(['2026-11-19']));
    expect(Math.max(...late.map(secondsOf))).toBeGreaterThan(20 * 60);
    expect(Math.max(...late.map(secondsOf))).toBeLessThan(3_600);
  });
});

describe('the samples of the queue', () => {
  const from = startOfDay(addDays(today, -PAST_DAYS), timeZone);
  const samples = queueSamples(bursts, from, now);

  it('are one a minute and count every transmission once', () => {
    expect(samples).toHaveLength((now.getTime() - from.getTime()) / 60_000);
    const settled = samples.map(({ backlog }) => backlog.settledPerSecond * 60);
    expect(settled.reduce((sum, count) => sum + count, 0)).toBeCloseTo(transmissionsOf(bursts));
  });

  it('show the backlog grow and end', () => {
    const deep = samples.filter(({ backlog }) => backlog.waiting >= 100);
    expect(deep.length).toBeGreaterThan(15);
    expect(Math.max(...deep.map(({ backlog }) => backlog.oldestSeconds))).toBeGreaterThan(1_200);
    expect(new Set(deep.map(({ backlog }) => backlog.workers))).toEqual(new Set([1]));
    const lastDeep = samples.findLastIndex(({ backlog }) => backlog.waiting >= 100);
    expect(samples.slice(lastDeep).some(({ backlog }) => backlog.waiting === 0)).toBe(true);
  });
});

describe('the certificates of a past day', () => {
  const makeDay = (daysAgo: number) => {
    const day = makePastDay(addDays(today, -daysAgo), daysAgo);
    const bodies = Array.from({ length: 400 }, () => day.next('alpha'));
    return { bodies, sound: day.sound };
  };
  const { bodies, sound } = makeDay(3);

  it('fit the schema, and most of them have no fault', () => {
    expect(bodies.filter((body) => !TransmissionBody.safeParse(body).success)).toEqual([]);
    expect(sound.length).toBeGreaterThan(320);
    expect(sound.length).toBeLessThan(380);
  });

  it('share no id and no plate with another day or with batches', () => {
    const others = [
      ...makeDay(4).bodies,
      ...makeSampleBatch({ number: 1, today }).map((item) => item.body),
      ...makeSampleBatch({ number: 40, today }).map((item) => item.body),
    ];
    const ids = new Set(others.map((body) => body.externalTransactionId));
    const plates = new Set(
      others.flatMap(({ vehicles }) => vehicles.map((one) => one.plateNumber)),
    );
    expect(bodies.filter((body) => ids.has(body.externalTransactionId))).toEqual([]);
    expect(
      bodies.flatMap(({ vehicles }) => vehicles.filter((one) => plates.has(one.plateNumber))),
    ).toEqual([]);
  });
});
