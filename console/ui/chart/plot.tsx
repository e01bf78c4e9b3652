import { type RefObject, useEffect, useRef, useState } from 'react';
import 'uplot/dist/uPlot.min.css';
import { ErrorAlert } from '../error-alert.tsx';
import type { ChartData } from './chart-data.ts';
import { drawPlot } from './draw-plot.ts';

interface PlotProps {
  readonly title: string;
  readonly data: ChartData;
  readonly format: (value: number) => string;
  /** Its swatches have the colours of the lines. */
  readonly legend: RefObject<HTMLUListElement | null>;
  /** Called with the step under the pointer; null when the pointer has left. */
  readonly onPoint: (step: number | null) => void;
}

/** The lines of a chart. The library that draws them is loaded when the first chart shows. */
export function Plot({ title, data, format, legend, onPoint }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    onPoint(null);
    let isGone = false;
    let remove = (): void => undefined;
    const draw = async (): Promise<void> => {
      const { default: UPlot } = await import('uplot');
      if (isGone || box.current === null || legend.current === null) return;
      const [element, swatches] = [box.current, legend.current];
      remove = drawPlot(UPlot, { element, swatches, data, format, onPoint });
    };
    draw().catch(setError);
    return () => {
      isGone = true;
      remove();
    };
  }, [data, format, legend, onPoint]);
  return (
    <>
      <ErrorAlert error={error} />
      <div
        ref={box}
        className="chart-plot"
        role="img"
        aria-label={`Chart: ${title}. The table below has its data.`}
      />
    </>
  );
}
