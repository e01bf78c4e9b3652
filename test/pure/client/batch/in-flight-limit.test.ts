import { IN_FLIGHT_MAX, makeInFlightLimit } from '../../../../client/in-flight-limit.ts';
import type { Attempt } from '../../../../client/transport.ts';

const ANSWER: Attempt = {
  request: 'POST /api/v1/ppai/policies',
  status: 202,
  durationMs: 20,
  retryAfterSeconds: null,
  remaining: null,
};
const MANY = 5_000;

/** With a clock of the test, and answers as often as it says. */
function makeLimit(...[max, isTimed]: [number?, boolean?]) {
  let nowMs = 0;
  const limit = makeInFlightLimit(max, isTimed, () => nowMs);
  return {
    limit,
    wait: (milliseconds: number) => {
      nowMs += milliseconds;
    },
    answer: (changes: Partial<Attempt> = {}, times = 1) => {
      for (let answered = 0; answered < times; answered += 1)
        limit.observe({ ...ANSWER, ...changes });
    },
  };
}

it('grows by one for as many good answers as are in flight, up to the largest number', () => {
  const { limit, answer } = makeLimit();
  expect(limit.current).toBe(4);
  answer({}, 5);
  expect(limit.current).toBe(5);
  answer({}, MANY);
  expect(limit.current).toBe(IN_FLIGHT_MAX);
});

it('never exceeds what the caller allows', () => {
  const { limit, answer } = makeLimit(2);
  answer({}, MANY);
  expect(limit.current).toBe(2);
});

it.each([
  ['429', { status: 429 }],
  ['a fault', { status: 503 }],
  ['no answer', { status: null }],
  ['fewer requests left in the quota than are in flight', { remaining: 10 }],
])('is halved once a second by %s', (_, bad) => {
  const { limit, answer, wait } = makeLimit();
  answer({}, MANY);
  answer(bad, 20);
  expect(limit.current).toBe(IN_FLIGHT_MAX / 2);
  wait(999);
  answer(bad);
  expect(limit.current).toBe(IN_FLIGHT_MAX / 2);
  wait(1);
  answer(bad);
  expect(limit.current).toBe(IN_FLIGHT_MAX / 4);
});

it('never falls below one request', () => {
  const { limit, answer, wait } = makeLimit();
  for (let second = 0; second < 20; second += 1) {
    answer({ status: 503 });
    wait(1_000);
  }
  expect(limit.current).toBe(1);
});

it('becomes smaller by a tenth when answers take four times as long as the fastest and half a second', () => {
  const { limit, answer } = makeLimit();
  answer({}, MANY);
  answer({ durationMs: 500 });
  expect(limit.current).toBe(IN_FLIGHT_MAX);
  answer({ durationMs: 501 });
  expect(limit.current).toBe(Math.floor(IN_FLIGHT_MAX * 0.9));
});

it('ignores the time of answers that wait for the outcome', () => {
  const { limit, answer } = makeLimit(IN_FLIGHT_MAX, false);
  answer({}, MANY);
  answer({ durationMs: 10_000 });
  expect(limit.current).toBe(IN_FLIGHT_MAX);
});

it('lets as many start as its number says, and the next one when another has ended', async () => {
  const { limit } = makeLimit(2);
  const started: number[] = [];
  const start = async (index: number) => {
    await limit.enter();
    started.push(index);
  };
  await Promise.all([start(1), start(2)]);
  const third = start(3);
  await new Promise(setImmediate);
  expect(started).toEqual([1, 2]);
  limit.leave();
  await third;
  expect(started).toEqual([1, 2, 3]);
});
