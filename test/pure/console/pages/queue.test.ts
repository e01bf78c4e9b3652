import { countChart, queueChart } from '../../../../console/pages/queue/history/chart-data.ts';
import {
  PERIODS,
  queueStepOf,
  spanOf,
  stepsOf,
} from '../../../../console/pages/queue/history/period.ts';
import { CHART_COLORS } from '../../../../console/ui/chart/chart-data.ts';
import { writeSeconds } from '../../../../console/ui/values/durations.ts';
import { SERIES_POINTS_MAX, STEP_MS } from '../../../../shared/contract/staff/views/history.ts';

const ZONE = 'Asia/Manila';
const NOW = Date.parse('2026-11-09T20:10:30Z');
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

describe('the period of a chart', () => {
  it.each(PERIODS)('%s has no more points than the API gives', (period) => {
    const { from, to } = spanOf(period, NOW);
    const points = (Date.parse(to) - Date.parse(from)) / STEP_MS[queueStepOf(period)];
    expect(points).toBeGreaterThan(80);
    expect(points).toBeLessThanOrEqual(SERIES_POINTS_MAX);
    expect(Date.parse(to)).toBeGreaterThan(NOW);
  });

  it('begins with a whole step', () => {
    expect(spanOf('24h', NOW).from).toBe('2026-11-08T20:11:00.000Z');
    expect(spanOf('7d', NOW).from).toBe('2026-11-02T21:00:00.000Z');
  });

  it('has its steps where the registry cuts them: days begin in its zone', () => {
    const days = stepsOf(spanOf('90d', NOW), 'day', ZONE);
    expect(iso(days.at(-1))).toBe('2026-11-09T16:00:00.000Z');
    expect(days.length).toBe(91);
    const hours = stepsOf(spanOf('7d', NOW), 'hour', ZONE);
    expect(iso(hours[0])).toBe('2026-11-02T21:00:00.000Z');
    expect(iso(hours.at(-1))).toBe('2026-11-09T20:00:00.000Z');
    const minutes = stepsOf(spanOf('6h', NOW), 'minute', ZONE);
    expect(minutes.length).toBe(360);
    expect(iso(minutes.at(-1))).toBe('2026-11-09T20:10:00.000Z');
  });

  it('has 23 or 25 hours in the days on which clocks change', () => {
    const span = { from: '2026-03-28T23:00:00Z', to: '2026-03-30T22:00:00Z' };
    expect(stepsOf(span, 'day', 'Europe/Berlin').map(iso)).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
  });
});

describe('the lines of a chart', () => {
  const steps = [0, 60_000, 120_000];

  it('have gaps where no worker reported', () => {
    const point = {
      at: '1970-01-01T00:01:00.000Z',
      depth: 1.5,
      depthMax: 3,
      oldestSecondsMax: 0,
      parkedMax: 0,
      settledPerSecond: 0,
      workersMin: 1,
      feedLagSecondsMax: 0,
    };
    expect(queueChart([point], steps, [['most', 'depthMax']])).toEqual({
      times: [0, 60, 120],
      series: [{ label: 'most', values: [null, 3, null] }],
    });
  });

  it('are zero where nothing was received, and the most frequent comes first', () => {
    const points = [
      { at: '1970-01-01T00:00:00.000Z', counts: [{ key: 'A', count: 1 }] },
      { at: '1970-01-01T00:02:00.000Z', counts: [{ key: 'B', count: 5 }] },
    ];
    expect(countChart(points, steps, (key) => key.toLowerCase()).series).toEqual([
      { label: 'b', values: [0, 0, 5] },
      { label: 'a', values: [1, 0, 0] },
    ]);
  });

  it('are not more than there are colours: the others are one line', () => {
    const counts = Array.from({ length: CHART_COLORS + 2 }, (_, index) => ({
      key: `K${index}`,
      count: 100 - index,
    }));
    const points = [{ at: '1970-01-01T00:00:00.000Z', counts }];
    const { series } = countChart(points, steps, (key) => key);
    expect(series).toHaveLength(CHART_COLORS);
    // K7, K8 and K9.
    expect(series.at(-1)).toEqual({ label: 'Others', values: [93 + 92 + 91, 0, 0] });
  });
});

it.each([
  [0, '0 s'],
  [0.44, '0.4 s'],
  [9.96, '10 s'],
  [59.6, '1 min'],
  [119, '1 min'],
  [3_600, '1 h'],
  [7_500, '2 h 5 min'],
  [97_200, '1 d 3 h'],
])('%d seconds are written as %s', (seconds, text) => {
  expect(writeSeconds(seconds)).toBe(text);
});
