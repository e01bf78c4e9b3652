import { memo, useRef, useState } from 'react';
import { type Column, Table } from '../table.tsx';
import type { ChartData } from './chart-data.ts';
import { exactMoment } from './moments.ts';
import { Plot } from './plot.tsx';

interface ChartProps {
  readonly title: string;
  readonly data: ChartData;
  /** A module function, so that it keeps its identity. */
  readonly format: (value: number) => string;
}

/** Values over time as lines, and as a table for whoever cannot see or use the lines. */
export function Chart({ title, data, format }: ChartProps) {
  const legend = useRef<HTMLUListElement>(null);
  // The step under the pointer; null for the last one that is known.
  const [pointed, setPointed] = useState<number | null>(null);
  const step = pointed ?? lastKnownStep(data);
  const time = data.times[step];
  return (
    <figure className="chart">
      <figcaption>
        <h3>{title}</h3>
      </figcaption>
      <ul className="chart-legend figure" ref={legend}>
        {data.series.map(({ label, values }, index) => (
          <li key={label}>
            <span className={`chart-swatch chart-${index + 1}`} />
            <bdi>{label}</bdi> {writeValue(values[step], format)}
          </li>
        ))}
        {time === undefined ? null : <li>{exactMoment(time)}</li>}
      </ul>
      <Plot title={title} data={data} format={format} legend={legend} onPoint={setPointed} />
      <DataTable title={title} data={data} format={format} />
    </figure>
  );
}

/** There may be more than a thousand rows: they are made only while it is open, and not anew when the pointer moves. */
const DataTable = memo(function DataTable({ title, data, format }: ChartProps) {
  const [isOpen, setIsOpen] = useState(false);
  const steps = data.times.map((_, step) => step).reverse();
  const columns: readonly Column<number>[] = [
    { title: 'Time', cell: (step) => exactMoment(data.times[step] ?? 0) },
    ...data.series.map(({ label, values }) => ({
      title: label,
      isNumber: true,
      cell: (step: number) => writeValue(values[step], format),
    })),
  ];
  return (
    <details className="chart-data" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        Data as a table<span className="hidden">: {title}</span>
      </summary>
      {isOpen ? (
        <Table label={`${title}, data`} columns={columns} rows={steps} keyOf={String} />
      ) : null}
    </details>
  );
});

function lastKnownStep({ times, series }: ChartData): number {
  return times.findLastIndex((_, step) => series.some(({ values }) => values[step] !== null));
}

function writeValue(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}
