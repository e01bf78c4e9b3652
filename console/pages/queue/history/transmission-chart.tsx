import { SERIES_KEYS } from 'virtual:contract';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { REGISTRY_TIME_ZONE } from '../../../api/environment.ts';
import { useRead } from '../../../api/queries.ts';
import { Chart } from '../../../ui/chart/chart.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { writeCount } from '../../../ui/values/figures.tsx';
import { TRANSMISSION_STATUS_WORDS } from '../../transmissions/transmission-words.ts';
import { countChart } from './chart-data.ts';
import { countStepOf, type Period, type Span, stepsOf } from './period.ts';

type SeriesKey = (typeof SERIES_KEYS)[number];

const KEY_WORDS: Record<SeriesKey, string> = {
  status: 'Status',
  errorCode: 'Error code, of rejected ones',
  organization: 'Transmitting organization',
};

interface TransmissionChartProps {
  readonly period: Period;
  readonly span: Span;
  readonly isUnasked: boolean;
}

/** What was received in the period, by a property of the transmissions, `by` of the URL. */
export function TransmissionChart({ period, span, isUnasked }: TransmissionChartProps) {
  const [params, setParams] = useSearchParams();
  const by = SERIES_KEYS.find((one) => one === params.get('by')) ?? SERIES_KEYS[0];
  const step = countStepOf(period);
  const { data, error, refetch } = useRead(
    'readTransmissionSeries',
    { query: { ...span, step, by } },
    { keepsEarlier: true, isUnasked },
  );
  const chart = useMemo(
    () =>
      countChart(data?.points ?? [], stepsOf(span, step, REGISTRY_TIME_ZONE), (key) =>
        by === 'status' ? wordsOfStatus(key) : key,
      ),
    [data, span, step, by],
  );
  const choose = (key: string): void =>
    setParams((earlier) => {
      const next = new URLSearchParams(earlier);
      next.set('by', key);
      return next;
    });
  return (
    <section aria-labelledby="received">
      <h2 id="received">Transmissions received</h2>
      <div className="segments">
        <SelectField
          label="By"
          options={SERIES_KEYS}
          words={KEY_WORDS}
          value={by}
          onChange={(event) => choose(event.target.value)}
        />
      </div>
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      {data?.isComplete === false ? (
        <p className="alert alert-info">
          A part of this period is not counted yet, so the numbers are too low.
        </p>
      ) : null}
      <Chart title={`Received per ${step}`} data={chart} format={writeCount} />
    </section>
  );
}

function wordsOfStatus(key: string): string {
  return TRANSMISSION_STATUS_WORDS[key as keyof typeof TRANSMISSION_STATUS_WORDS] ?? key;
}
