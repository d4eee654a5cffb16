/** Which of several growing costs reaches its limit first. */
import type { Line } from '../report/fitted-line.ts';

export interface Limited {
  line: Pick<Line, 'slope' | 'base'>;
  limit: number;
  /** The limit in words. */
  words: string;
}

export interface FirstLimit {
  /** Rounded down. */
  size: number;
  words: string;
}

/** Null when none of them grows. */
export function firstLimit(costs: readonly Limited[]): FirstLimit | null {
  const reached = costs
    .filter(({ line }) => line.slope > 0)
    .map(({ line, limit, words }) => ({
      size: Math.max(0, Math.floor((limit - line.base) / line.slope)),
      words,
    }));
  return reached.sort((one, other) => one.size - other.size)[0] ?? null;
}
