import { addDays } from '../../../shared/domain/calendar.ts';
import { endOfDate } from '../../../shared/platform/clock.ts';

/** Transmissions that one client sends within seconds. */
export interface Burst {
  /** The calendar date in the registry's time zone. */
  readonly day: string;
  readonly client: SendingClient;
  readonly transmissions: number;
  /** When the last one arrives. */
  readonly receivedAt: Date;
  /** When the workers have finished all of them. */
  readonly finishedAt: Date;
}

type Arrival = Omit<Burst, 'finishedAt'>;

export const PAST_DAYS = 28;
/** The day with the backlog is the last working day that is at least this many days ago. */
const SLOW_DAYS_AGO = 9;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Clients in the order in which they send; alpha is the largest insurer. */
const CLIENTS = ['alpha', 'bravo', 'alpha', 'charlie', 'alpha', 'mgt-one', 'bravo'] as const;
export type SendingClient = (typeof CLIENTS)[number];

/** Bursts by hour of the day. The first one is the nightly file of the pool's management company. */
const WORKING_DAY: readonly (readonly [hour: number, bursts: number])[] = [
  [1, 1],
  [8, 1],
  [9, 2],
  [10, 2],
  [11, 1],
  [13, 1],
  [14, 2],
  [15, 2],
  [16, 1],
  [18, 1],
];
const WEEKEND: typeof WORKING_DAY = [
  [1, 1],
  [10, 1],
  [15, 1],
];

/** An insurer sends the renewals of a month while the database is slow. */
const SLOW = {
  fromHour: 10,
  untilHour: 10 + 40 / 60,
  recoveredHour: 11,
  bursts: 24,
  transmissions: 12,
  everyMs: 75_000,
} as const;

/** Transmissions per second. */
const RATE = { normal: 25, slow: 0.05, recovering: 0.4 } as const;

export interface PastPeriod {
  /** The last moment of the plan. */
  readonly now: Date;
  /** The calendar date of `now`. */
  readonly today: string;
  readonly timeZone: string;
}

/**
 * The bursts of four weeks until `now`, in the order of receipt, with a daily rhythm, quiet weekends, a slow growth, and one
 * morning with a backlog. Deterministic. One queue finishes them in their order.
 */
export function planBursts({ now, today, timeZone }: PastPeriod): Burst[] {
  const slowDay = slowDayOf(today);
  const bursts: Burst[] = [];
  let freeAtMs = 0;
  for (let ago = PAST_DAYS; ago >= 0; ago -= 1) {
    const day = addDays(today, -ago);
    const startMs = startOfDay(day, timeZone).getTime();
    for (const arrival of arrivalsOf(day, startMs, { ago, isSlow: day === slowDay })) {
      const beginMs = Math.max(arrival.receivedAt.getTime(), freeAtMs);
      const rate = day === slowDay ? rateAt((beginMs - startMs) / HOUR_MS) : RATE.normal;
      freeAtMs = beginMs + Math.ceil((arrival.transmissions / rate) * 1_000);
      if (freeAtMs >= now.getTime()) return bursts;
      bursts.push({ ...arrival, finishedAt: new Date(freeAtMs) });
    }
  }
  return bursts;
}

export function startOfDay(day: string, timeZone: string): Date {
  return endOfDate(addDays(day, -1), timeZone);
}

export function isWeekend(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
}

function slowDayOf(today: string): string {
  let day = addDays(today, -SLOW_DAYS_AGO);
  while (isWeekend(day)) day = addDays(day, -1);
  return day;
}

function rateAt(hour: number): number {
  if (hour < SLOW.fromHour || hour >= SLOW.recoveredHour) return RATE.normal;
  return hour < SLOW.untilHour ? RATE.slow : RATE.recovering;
}

function arrivalsOf(
  day: string,
  startMs: number,
  { ago, isSlow }: { readonly ago: number; readonly isSlow: boolean },
): Arrival[] {
  const growth = Math.floor((PAST_DAYS - ago) / 7);
  const regular = (isWeekend(day) ? WEEKEND : WORKING_DAY).flatMap(([hour, bursts], row) =>
    Array.from({ length: bursts }, (_, index): Arrival => {
      // Prime factors scatter the figures without a random generator.
      const scatter = ago * 31 + row * 17 + index * 29;
      const minute = scatter % 60;
      return {
        day,
        client: hour === 1 ? 'mgt-one' : (CLIENTS[scatter % CLIENTS.length] ?? 'alpha'),
        transmissions: 3 + growth + (scatter % 5),
        receivedAt: new Date(startMs + hour * HOUR_MS + minute * MINUTE_MS + scatter * 37),
      };
    }),
  );
  const renewals = Array.from(
    { length: isSlow ? SLOW.bursts : 0 },
    (_, index): Arrival => ({
      day,
      client: 'bravo',
      transmissions: SLOW.transmissions,
      receivedAt: new Date(startMs + SLOW.fromHour * HOUR_MS + index * SLOW.everyMs),
    }),
  );
  return [...regular, ...renewals].toSorted(
    (one, other) => one.receivedAt.getTime() - other.receivedAt.getTime(),
  );
}
