/**
 * Stacked bars over time, drawn by uPlot; loaded only where one is shown. Colours are the page's
 * tokens, read whenever it is drawn, so that it follows the theme.
 */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface BarChartOptions {
  /** Tokens of the parts of a bar, from its top to its foot. */
  tokens: readonly string[];
  /** Takes milliseconds since 1970; gives the words for the axis. */
  formatTime: (ms: number) => string;
  /** Told which bar is under the pointer; null when none is. */
  onPoint: (index: number | null) => void;
}

export interface BarChart {
  /** Takes where each bucket begins, how long one is, and the counts of each part. */
  setData(fromMs: number, bucketMs: number, counts: readonly (readonly number[])[]): void;
  /** Shows the line of the pointer at a bar; null takes it away. */
  pointAt(index: number | null): void;
  end(): void;
}

/** Few events look like few. */
const LEAST_TOP = 4;
/** At most so many steps from the foot to the top. */
const STEPS = 4;
const TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000];
/** In CSS pixels. */
const AXIS = { x: 24, y: 34, font: 11, apart: 64 };

/** Where uPlot takes the pointer to be nowhere. */
const AWAY = -10;

/** Takes an element with a height of its own; fills it with a chart and keeps to its width. */
export function createBarChart(host: HTMLElement, options: BarChartOptions): BarChart {
  const { tokens, formatTime, onPoint } = options;
  const colour = (token: string) => () => readColour(host, token);
  const font = `${AXIS.font}px ${getComputedStyle(host).fontFamily}`;
  const axis = {
    font,
    stroke: colour('--text-muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  let range: [number, number] = [0, 1];
  const chart = new uPlot(
    {
      ...sizeOf(host),
      legend: { show: false },
      padding: [8, 22, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: { range: () => range },
        y: { range: (_, __, max) => [0, topOf(max)] },
      },
      axes: [
        {
          ...axis,
          size: AXIS.x,
          space: AXIS.apart,
          grid: { show: false },
          values: (_, splits) => splits.map((seconds) => formatTime(seconds * 1000)),
        },
        { ...axis, size: AXIS.y, space: 16, incrs: TICKS },
      ],
      series: [
        {},
        ...tokens.map((token) => ({
          fill: colour(token),
          stroke: colour('--page'),
          width: 1,
          paths: uPlot.paths.bars?.({ size: [0.9, 32] }),
          points: { show: false },
        })),
      ],
      hooks: {
        setCursor: [(self) => onPoint(self.cursor.idx ?? null)],
      },
    },
    [[], ...tokens.map(() => [])],
    host,
  );
  const resize = new ResizeObserver(() => chart.setSize(sizeOf(host)));
  resize.observe(host);
  const theme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => chart.redraw(false);
  theme.addEventListener('change', redraw);

  return {
    setData(fromMs, bucketMs, counts) {
      const buckets = counts[0]?.length ?? 0;
      // A bar stands in the middle of its time.
      const middles = Array.from(
        { length: buckets },
        (_, n) => (fromMs + (n + 0.5) * bucketMs) / 1000,
      );
      range = [fromMs / 1000, (fromMs + buckets * bucketMs) / 1000];
      chart.setData([middles, ...stack(counts)]);
    },
    pointAt(index) {
      const at = index === null ? undefined : chart.data[0][index];
      const left = at === undefined ? AWAY : chart.valToPos(at, 'x');
      chart.setCursor({ left, top: at === undefined ? AWAY : 0 }, false);
    },
    end() {
      theme.removeEventListener('change', redraw);
      resize.disconnect();
      chart.destroy();
    },
  };
}

/** Each part reaches from the foot to its own top, and the next is drawn over it. */
function stack(counts: readonly (readonly number[])[]): (number | null)[][] {
  return counts.map((row, part) =>
    row.map((_, at) => {
      const height = counts.slice(part).reduce((sum, other) => sum + (other[at] ?? 0), 0);
      return height === 0 ? null : height;
    }),
  );
}

/** The next full step above the highest bar. */
function topOf(highest: number): number {
  const most = Math.max(LEAST_TOP, highest);
  const step = TICKS.find((tick) => most <= STEPS * tick) ?? most;
  return Math.ceil(most / step) * step;
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): { width: number; height: number } {
  return { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
}

/** A canvas knows no tokens: the browser is asked what one comes to here and now. */
function readColour(host: HTMLElement, token: string): string {
  const before = host.style.color;
  host.style.color = `var(${token})`;
  const { color } = getComputedStyle(host);
  host.style.color = before;
  return color;
}
