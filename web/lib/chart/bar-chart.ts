/**
 * Stacked bars over time, drawn by uPlot; loaded only where one is shown. Colours are the page's
 * tokens, read at each drawing, so that the chart follows the theme.
 */
import { theme } from '$lib/state/theme.svelte.ts';
import uPlot from 'uplot';
import { timeTicks } from './time-ticks.ts';
import 'uplot/dist/uPlot.min.css';

export interface BarChartOptions {
  /** Colour tokens of the parts of a bar, from top to bottom. */
  tokens: readonly string[];
  /** Called with the bar under the pointer, or null. */
  onPoint: (index: number | null) => void;
}

export interface BarChart {
  /** `counts`: one list per part. */
  setData(fromMs: number, bucketMs: number, counts: readonly (readonly number[])[]): void;
  /** Shows the pointer's line at a bar; null removes it. */
  pointAt(index: number | null): void;
  end(): void;
}

/** So that a few events make low bars. */
const LEAST_TOP = 4;
/** Maximum steps on the axis. */
const STEPS = 4;
const TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000];
/** In CSS pixels. */
const AXIS = { x: 24, y: 34, font: 11, digit: 7 };

/** uPlot's position for no pointer. */
const AWAY = -10;

/** `host` needs its own height; the chart follows its width. */
export function createBarChart(host: HTMLElement, options: BarChartOptions): BarChart {
  const { tokens, onPoint } = options;
  const colour = (token: string) => () => readColour(host, token);
  const font = `${AXIS.font}px ${getComputedStyle(host).fontFamily}`;
  const axis = {
    font,
    stroke: colour('--text-muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  let range: [number, number] = [0, 1];
  const ticksOf = ({ width }: uPlot) =>
    timeTicks(range[0] * 1000, range[1] * 1000, Math.max(0, width - AXIS.y - 26));
  const chart = new uPlot(
    {
      ...sizeOf(host),
      legend: { show: false },
      // Half of a label of the axis.
      padding: [8, 26, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: { range: () => range },
        y: { range: (_, __, max) => [0, topOf(max)] },
      },
      axes: [
        {
          ...axis,
          size: AXIS.x,
          grid: { show: false },
          splits: (self) => ticksOf(self).map(({ ms }) => ms / 1000),
          values: (self) => ticksOf(self).map(({ label }) => label),
        },
        {
          ...axis,
          size: (_, values) =>
            Math.max(AXIS.y, 12 + AXIS.digit * Math.max(0, ...textsOf(values).map(lengthOf))),
          space: 16,
          incrs: TICKS,
        },
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
  const ignoreTheme = theme.onChange(() => chart.redraw(false));

  return {
    setData(fromMs, bucketMs, counts) {
      const buckets = counts[0]?.length ?? 0;
      // A bar is centred in its time.
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
      ignoreTheme();
      resize.disconnect();
      chart.destroy();
    },
  };
}

/** uPlot has none before its first layout, against its types. */
function textsOf(values: readonly string[] | null): readonly string[] {
  return values ?? [];
}

function lengthOf(text: string): number {
  return text.length;
}

/** Each part reaches from the bottom to its own top, and the next is drawn over it. */
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

/** A canvas has no CSS tokens: the browser computes the current value. */
function readColour(host: HTMLElement, token: string): string {
  const before = host.style.color;
  host.style.color = `var(${token})`;
  const { color } = getComputedStyle(host);
  host.style.color = before;
  return color;
}
