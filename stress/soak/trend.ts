export interface Trend {
  /** Growth of y for each unit of x; 0 for too few points. */
  slope: number;
  /** Its standard error: what noise alone may add or take. */
  error: number;
}

/** Least-squares line through the points. */
export function trend(points: readonly (readonly [x: number, y: number])[]): Trend {
  const mean = (axis: 0 | 1) => points.reduce((sum, p) => sum + p[axis], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (spread === 0 || points.length < 3) return { slope: 0, error: Infinity };
  const common = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const slope = common / spread;
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (points.length - 2) / spread) };
}
