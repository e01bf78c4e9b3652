import { useMemo } from 'react';
import { REGISTRY_TIME_ZONE } from '../../../api/environment.ts';
import { useRead } from '../../../api/queries.ts';
import { Chart } from '../../../ui/chart/chart.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { writeSeconds } from '../../../ui/values/durations.ts';
import { writeCount } from '../../../ui/values/figures.tsx';
import { type Lines, queueChart } from './chart-data.ts';
import { PERIOD_WORDS, PERIODS, type Period, queueStepOf, stepsOf } from './period.ts';
import { TransmissionChart } from './transmission-chart.tsx';
import { usePeriod } from './use-period.ts';

interface ChartDescription {
  readonly title: string;
  readonly lines: Lines;
  readonly format: (value: number) => string;
}

const CHARTS: readonly ChartDescription[] = [
  {
    title: 'Transmissions in the queue',
    lines: [
      ['average', 'depth'],
      ['most', 'depthMax'],
    ],
    format: writeDecimal,
  },
  { title: 'Age of the oldest', lines: [['longest', 'oldestSecondsMax']], format: writeSeconds },
  {
    title: 'Completed per second',
    lines: [['average', 'settledPerSecond']],
    format: writeDecimal,
  },
  { title: 'Parked transmissions', lines: [['most', 'parkedMax']], format: writeCount },
  {
    title: 'Lag of the change feed',
    lines: [['longest', 'feedLagSecondsMax']],
    format: writeSeconds,
  },
  { title: 'Live workers', lines: [['fewest', 'workersMin']], format: writeCount },
];

/** How the queue was in the period, and what was received in it. */
export function QueueHistory({ isPaused }: { isPaused: boolean }) {
  const { period, choose, span, hasMoved } = usePeriod(isPaused);
  const step = queueStepOf(period);
  const { data, error, refetch } = useRead(
    'readQueueHistory',
    { query: { ...span, step } },
    { keepsEarlier: true, isUnasked: hasMoved },
  );
  const charts = useMemo(() => {
    const steps = stepsOf(span, step, REGISTRY_TIME_ZONE);
    return CHARTS.map((chart) => ({
      ...chart,
      data: queueChart(data?.points ?? [], steps, chart.lines),
    }));
  }, [data, span, step]);
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <div className="segments">
        <SelectField
          label="Period"
          options={PERIODS}
          words={PERIOD_WORDS}
          value={period}
          onChange={(event) => choose(event.target.value as Period)}
        />
      </div>
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      {data?.points.length === 0 ? (
        <p className="alert alert-info">No worker ran in this period, so the charts are empty.</p>
      ) : null}
      <div className="charts" aria-busy={data === undefined && error === null}>
        {charts.map(({ title, data: chart, format }) => (
          <Chart key={title} title={title} data={chart} format={format} />
        ))}
      </div>
      <TransmissionChart period={period} span={span} isUnasked={hasMoved} />
    </section>
  );
}

function writeDecimal(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 1 });
}
