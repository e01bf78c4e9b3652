import type UPlot from 'uplot';
import { REGISTRY_TIME_ZONE } from '../../api/environment.ts';
import type { ChartData } from './chart-data.ts';
import { writeAxis } from './moments.ts';

interface Drawing {
  readonly element: HTMLElement;
  /** The legend, whose swatches have the colours of the series. */
  readonly swatches: HTMLElement;
  readonly data: ChartData;
  readonly format: (value: number) => string;
  readonly onPoint: (step: number | null) => void;
}

const HEIGHT_PX = 190;
const TIME_AXIS_PX = 30;
const VALUE_AXIS_PX = 56;
/** Lines differ by more than their colours, as the swatches do. */
const DASHES = [[], [7, 4], [2, 3]];

/** Draws the lines into the element and keeps them at its width and in the colours of the theme. Returns the function that removes them. */
export function drawPlot(library: typeof UPlot, drawing: Drawing): () => void {
  const { element, data } = drawing;
  const plot = new library(
    optionsOf(library, drawing),
    [[...data.times], ...data.series.map(({ values }) => [...values])],
    element,
  );
  const resizing = new ResizeObserver(() =>
    plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
  );
  resizing.observe(element);
  // The lines are pixels, which a change of the theme does not reach by itself.
  const redraw = (): void => plot.redraw();
  const theme = new MutationObserver(redraw);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', redraw);
  return () => {
    resizing.disconnect();
    theme.disconnect();
    scheme.removeEventListener('change', redraw);
    plot.destroy();
  };
}

function optionsOf(
  library: typeof UPlot,
  { element, swatches, data, format, onPoint }: Drawing,
): UPlot.Options {
  const axis: UPlot.Axis = {
    stroke: () => getComputedStyle(element).color,
    grid: { stroke: () => getComputedStyle(element).borderTopColor, width: 1 },
    ticks: { show: false },
    font: `12px ${getComputedStyle(element).fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    tzDate: (seconds) => library.tzDate(new Date(seconds * 1_000), REGISTRY_TIME_ZONE),
    scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        size: TIME_AXIS_PX,
        values: (_plot, marks, _axis, _space, distance) => writeAxis(marks, distance),
      },
      { ...axis, size: VALUE_AXIS_PX, values: (_plot, marks) => marks.map(format) },
    ],
    series: [
      {},
      ...data.series.map(({ label }, index) => ({
        label,
        stroke: () => getComputedStyle(swatches.children[index]?.children[0] ?? element).color,
        width: 2,
        dash: DASHES[index % DASHES.length] ?? [],
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}
