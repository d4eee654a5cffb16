/** Figures as bars of plain text. */
import { type Figure, shown } from './figures.ts';

const WIDTH = 40;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

type Charted = Figure & Required<Pick<Figure, 'chart'>>;

/** One fenced block for each resource, with a line for each figure that has it. */
export function barCharts(figures: readonly Figure[]): string[] {
  const charted = figures.filter((figure): figure is Charted => figure.chart !== undefined);
  const resources = new Set(charted.map(({ chart }) => chart.resource));
  return [...resources].flatMap((resource) => {
    const bars = charted.filter(({ chart }) => chart.resource === resource);
    return ['', '```text', resource, ...lines(bars), '```'];
  });
}

function lines(bars: readonly Charted[]): string[] {
  const largest = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ chart, value, unit }) => ({
    axis: chart.axis,
    size: String(chart.size),
    bar: bar(value / largest),
    value: shown(value),
    unit,
  }));
  const widest = (column: 'axis' | 'size' | 'value') =>
    Math.max(...rows.map((row) => row[column].length));
  const [axis, size, value] = [widest('axis'), widest('size'), widest('value')];
  return rows.map((row) =>
    [
      row.axis.padEnd(axis),
      row.size.padStart(size),
      row.bar.padEnd(WIDTH),
      row.value.padStart(value),
      row.unit,
    ].join('  '),
  );
}

/** `share` is from 0 to 1; anything above 0 can be seen. */
function bar(share: number): string {
  const eighths = share > 0 ? Math.max(1, Math.round(share * WIDTH * EIGHTHS.length)) : 0;
  const rest = EIGHTHS[eighths % EIGHTHS.length] ?? '';
  return '█'.repeat(Math.floor(eighths / EIGHTHS.length)) + rest;
}
