export interface ChartSeries {
  readonly label: string;
  /** One for each time; null where nothing is known. */
  readonly values: readonly (number | null)[];
}

/** Must keep its identity while it does not change: a new one is drawn anew. */
export interface ChartData {
  /** The beginning of each step, in seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
}

/** The colours of lines, which style/queue.css names chart-1 and so on. */
export const CHART_COLORS = 8;
