/** The straight line closest to measured points. */

export interface Point {
  size: number;
  value: number;
}

export interface Line {
  /** What each one more costs. */
  slope: number;
  /** What none costs. */
  base: number;
  /** The standard error of the slope: what noise alone may add or take. Infinite for two points. */
  error: number;
}

/** By least squares; all NaN with fewer than two different sizes. */
export function fittedLine(points: readonly Point[]): Line {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const size = mean(points.map((point) => point.size));
  const value = mean(points.map((point) => point.value));
  let [together, spread] = [0, 0];
  for (const point of points) {
    together += (point.size - size) * (point.value - value);
    spread += (point.size - size) ** 2;
  }
  const slope = together / spread;
  const base = value - slope * size;
  const rest = points.map((point) => (point.value - base - slope * point.size) ** 2);
  const free = points.length - 2;
  const sum = rest.reduce((all, each) => all + each, 0);
  return { slope, base, error: free > 0 ? Math.sqrt(sum / free / spread) : Infinity };
}
