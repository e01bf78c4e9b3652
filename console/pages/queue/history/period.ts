import { dayAfter, dayOf, startOfDay } from '../../../ui/list/days.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const PERIODS = ['24h', '6h', '7d', '30d', '90d'] as const;
export type Period = (typeof PERIODS)[number];

export const PERIOD_WORDS: Record<Period, string> = {
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};

const LENGTH_MS: Record<Period, number> = {
  '6h': 6 * HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
};

/** Fewer steps than the API's limit, and more than a chart of usual width can show apart. */
const QUEUE_STEPS: Record<Period, 'minute' | 'hour' | 'day'> = {
  '6h': 'minute',
  '24h': 'minute',
  '7d': 'hour',
  '30d': 'hour',
  '90d': 'day',
};

export function queueStepOf(period: Period): 'minute' | 'hour' | 'day' {
  return QUEUE_STEPS[period];
}

/** Transmissions are counted by hours. */
export function countStepOf(period: Period): 'hour' | 'day' {
  return period === '90d' ? 'day' : 'hour';
}

export interface Span {
  readonly from: string;
  readonly to: string;
}

/** The period up to now, with whole minutes, hours or days, so that the first step is not cut. */
export function spanOf(period: Period, now: number): Span {
  const wholeMs = period === '6h' || period === '24h' ? MINUTE_MS : HOUR_MS;
  const to = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
  const from = Math.ceil((to - LENGTH_MS[period]) / wholeMs) * wholeMs;
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

const STEP_MS = { minute: MINUTE_MS, hour: HOUR_MS } as const;

/** The beginnings of all steps of a period, in ms. Days, and the hours in them, begin in the registry's zone. */
export function stepsOf(
  { from, to }: Span,
  step: 'minute' | 'hour' | 'day',
  zone: string,
): number[] {
  const [first, end] = [Date.parse(from), Date.parse(to)];
  const steps: number[] = [];
  let day = dayOf(from, zone);
  for (let at = Date.parse(startOfDay(day, zone)); at < end; ) {
    if (step === 'day') {
      steps.push(at);
      day = dayAfter(day);
      at = Date.parse(startOfDay(day, zone));
    } else {
      if (at + STEP_MS[step] > first) steps.push(at);
      at += STEP_MS[step];
    }
  }
  return steps;
}
