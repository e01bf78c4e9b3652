interface Period {
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Where a cover is on the axis, in per cent of its length. Covers of the same days are in different lanes. */
export interface CoverBar<Cover> {
  readonly cover: Cover;
  readonly lane: number;
  readonly start: number;
  readonly length: number;
}

export interface CoverAxis<Cover> {
  /** In the order of their first days. */
  readonly bars: readonly CoverBar<Cover>[];
  readonly laneCount: number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  /** Where the given day is; undefined when it is not on the axis. */
  readonly today: number | undefined;
}

const DAY_MS = 86_400_000;

/** Puts covers on one axis of time, from their first to their last day. There must be at least one. */
export function makeCoverAxis<Cover extends Period>(
  covers: readonly Cover[],
  today: string,
): CoverAxis<Cover> {
  const sorted = covers.toSorted((one, other) => one.firstDay.localeCompare(other.firstDay));
  const first = Math.min(...sorted.map(({ firstDay }) => Date.parse(firstDay)));
  const end = Math.max(...sorted.map(endOf));
  const percent = (time: number): number => ((time - first) / (end - first)) * 100;
  const ends: number[] = [];
  const bars = sorted.map((cover) => {
    const [start, stop] = [Date.parse(cover.firstDay), endOf(cover)];
    const free = ends.findIndex((laneEnd) => laneEnd <= start);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = stop;
    return { cover, lane, start: percent(start), length: percent(stop) - percent(start) };
  });
  const now = percent(Date.parse(today));
  return {
    bars,
    laneCount: ends.length,
    ticks: ticksBetween(first, end).map(({ time, label }) => ({ at: percent(time), label })),
    today: now >= 0 && now <= 100 ? now : undefined,
  };
}

/** The last day is covered too. A cover that ended before it began still takes a day. */
function endOf({ firstDay, lastDay }: Period): number {
  return Math.max(Date.parse(firstDay), Date.parse(lastDay)) + DAY_MS;
}

/** More labels would not fit on a narrow window. */
const TICKS_MAX = 4;
const STEPS_MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 12_000];

/** The first days of months or years, at equal distances; the first day of the axis where it has none of them. */
function ticksBetween(first: number, end: number): { time: number; label: string }[] {
  const from = monthOf(first) + (new Date(first).getUTCDate() === 1 ? 0 : 1);
  const count = monthOf(end - 1) - from + 1;
  if (count === 0) return [{ time: first, label: dayFormat.format(first) }];
  const step = STEPS_MONTHS.find((months) => count / months <= TICKS_MAX) ?? 12_000;
  const start = Math.ceil(from / step) * step;
  const months = Array.from({ length: TICKS_MAX + 1 }, (_, index) => start + index * step);
  return months
    .map((month) => ({ time: timeOf(month), label: labelOf(month, step) }))
    .filter(({ time }) => time < end);
}

/** Months since the year 0. */
function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function timeOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}

const monthOfYear = { timeZone: 'UTC', month: 'short', year: 'numeric' } as const;
const monthFormat = new Intl.DateTimeFormat('en-GB', monthOfYear);
const dayFormat = new Intl.DateTimeFormat('en-GB', { ...monthOfYear, day: 'numeric' });

function labelOf(month: number, step: number): string {
  return step % 12 === 0 ? String(month / 12) : monthFormat.format(timeOf(month));
}
