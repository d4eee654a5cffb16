import { ReportShare } from '../../shared/schema/usage/report.ts';
import type { Span } from './timeline.ts';

/** How many units were in each state on average, in each step of a range. */
export class ActivitySteps {
  readonly stepMs: number;
  readonly #sinceMs: number;
  /** In milliseconds of units. */
  readonly #sums: Record<ReportShare, number[]>;

  constructor(sinceMs: number, untilMs: number, steps: number) {
    this.#sinceMs = sinceMs;
    this.stepMs = (untilMs - sinceMs) / steps;
    const row = () => Array<number>(steps).fill(0);
    this.#sums = Object.fromEntries(ReportShare.options.map((share) => [share, row()])) as Record<
      ReportShare,
      number[]
    >;
  }

  /** The spans lie in the range. */
  add(spans: readonly Span[]): void {
    for (const { fromMs, toMs, share } of spans) {
      const row = this.#sums[share];
      const first = Math.floor((fromMs - this.#sinceMs) / this.stepMs);
      for (let step = first; step < row.length; step += 1) {
        const startMs = this.#sinceMs + step * this.stepMs;
        if (startMs >= toMs) break;
        const ms = Math.min(toMs, startMs + this.stepMs) - Math.max(fromMs, startMs);
        row[step] = (row[step] ?? 0) + Math.max(0, ms);
      }
    }
  }

  /** With two decimals. */
  counts(): Record<ReportShare, number[]> {
    const rounded = (row: readonly number[]) =>
      row.map((ms) => Math.round((100 * ms) / this.stepMs) / 100);
    return Object.fromEntries(
      Object.entries(this.#sums).map(([share, row]) => [share, rounded(row)]),
    ) as Record<ReportShare, number[]>;
  }
}
