import type { CellSummary } from './summary.ts';

const WIDTH = 760;
const LABEL_WIDTH = 190;
const VALUE_WIDTH = 130;
const BAR_HEIGHT = 18;
const ROW_HEIGHT = 28;
const TITLE_HEIGHT = 44;
const COLOURS = ['#2f6db3', '#c8781f', '#3f8f5b', '#8a4fa3', '#b33a3a', '#777777'] as const;

/** Rates of cells as bars, the median with the range over it. */
export function plotRates(title: string, cells: readonly CellSummary[]): string {
  const most = Math.max(...cells.map(({ perSecond }) => perSecond.max));
  const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / most;
  const rows = cells.map(({ name, perSecond }, index) => {
    const y = TITLE_HEIGHT + index * ROW_HEIGHT;
    const middle = y + BAR_HEIGHT / 2;
    return [
      label(name, middle),
      bar(LABEL_WIDTH, y, perSecond.median * scale, COLOURS[0]),
      `<line x1="${round(LABEL_WIDTH + perSecond.min * scale)}" x2="${round(LABEL_WIDTH + perSecond.max * scale)}" y1="${middle}" y2="${middle}" stroke="#222222" stroke-width="2"/>`,
      text(LABEL_WIDTH + perSecond.max * scale + 8, middle, perSecond.median.toFixed(1)),
    ].join('\n');
  });
  return svg(title, rows, cells.length);
}

/** CPU microseconds per item of cells, by process, as stacked bars. */
export function plotCpu(title: string, cells: readonly CellSummary[]): string {
  const roles = [...new Set(cells.flatMap(({ cpuPerItem }) => Object.keys(cpuPerItem)))];
  const totals = cells.map(({ cpuPerItem }) =>
    Object.values(cpuPerItem).reduce((sum, { median }) => sum + median, 0),
  );
  const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / Math.max(...totals);
  const rows = cells.map(({ name, cpuPerItem }, index) => {
    const y = TITLE_HEIGHT + index * ROW_HEIGHT;
    let x = LABEL_WIDTH;
    const parts = roles.map((role, at) => {
      const width = (cpuPerItem[role]?.median ?? 0) * scale;
      const part = bar(x, y, width, COLOURS[at % COLOURS.length] ?? COLOURS[0]);
      x += width;
      return part;
    });
    const middle = y + BAR_HEIGHT / 2;
    return [
      label(name, middle),
      ...parts,
      text(x + 8, middle, (totals[index] ?? 0).toFixed(0)),
    ].join('\n');
  });
  const legend = roles.map((role, at) => {
    const y = TITLE_HEIGHT + cells.length * ROW_HEIGHT;
    const x = LABEL_WIDTH + at * 90;
    return `${bar(x, y, 12, COLOURS[at % COLOURS.length] ?? COLOURS[0])}\n${text(x + 18, y + BAR_HEIGHT / 2, role)}`;
  });
  return svg(title, [...rows, ...legend], cells.length + 1);
}

function svg(title: string, rows: readonly string[], count: number): string {
  const height = TITLE_HEIGHT + count * ROW_HEIGHT + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13">
<title>${escaped(title)}</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="12" y="26" font-size="16" font-weight="bold">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`;
}

function label(name: string, y: number): string {
  return `<text x="${LABEL_WIDTH - 10}" y="${y}" text-anchor="end" dominant-baseline="middle">${escaped(name)}</text>`;
}

function text(x: number, y: number, content: string): string {
  return `<text x="${round(x)}" y="${y}" dominant-baseline="middle">${escaped(content)}</text>`;
}

function bar(x: number, y: number, width: number, colour: string): string {
  return `<rect x="${round(x)}" y="${y}" width="${round(width)}" height="${BAR_HEIGHT}" fill="${colour}"/>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
