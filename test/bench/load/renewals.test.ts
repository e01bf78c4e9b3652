import { COVERED_DAYS_MAX } from '../synthetic-registry.ts';
import { RENEWED_DAYS, type Renewal, renewalAt } from './renewals.ts';

const VEHICLES = 10_000;
const RENEWABLE = 9_001;

const renewals = (count: number): Renewal[] =>
  Array.from({ length: count }, (_, number) => renewalAt(number, VEHICLES));

it('every vehicle whose identifiers are long enough is renewed once before one comes again', () => {
  const once = renewals(RENEWABLE);
  expect(new Set(once.map(({ vehicle }) => vehicle)).size).toBe(RENEWABLE);
  expect(new Set(once.map(({ inDays }) => inDays))).toEqual(new Set([COVERED_DAYS_MAX]));
  expect(Math.min(...once.map(({ vehicle }) => vehicle))).toBe(1_000);
  expect(Math.max(...once.map(({ vehicle }) => vehicle))).toBe(VEHICLES);
});

it('who comes again is renewed from the day after its last cover on', () => {
  const daysOf = new Map<number, number[]>();
  for (const { vehicle, inDays } of renewals(3 * RENEWABLE))
    daysOf.set(vehicle, [...(daysOf.get(vehicle) ?? []), inDays]);
  const years = [0, 1, 2].map((before) => COVERED_DAYS_MAX + before * RENEWED_DAYS);
  expect([...daysOf.values()].filter((days) => String(days) !== String(years))).toEqual([]);
});
