import type { Sample } from './exposition-text.ts';

/** How often a measure was at most each of some bounds, and its sum. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** One per bound, plus one for everything beyond the last. */
  readonly #counts: number[];
  #sum = 0;

  /** Upper bounds, ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const index = this.#bounds.findIndex((bound) => value <= bound);
    const place = index === -1 ? this.#bounds.length : index;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#sum += value;
  }

  /** Cumulative counts per bound, as the format requires; then sum and count. */
  samples(): Sample[] {
    let count = 0;
    const buckets = [...this.#bounds, Infinity].map((bound, index): Sample => {
      count += this.#counts[index] ?? 0;
      const le = bound === Infinity ? '+Inf' : String(bound);
      return { suffix: '_bucket', labels: { le }, value: count };
    });
    return [
      ...buckets,
      { suffix: '_sum', labels: {}, value: this.#sum },
      { suffix: '_count', labels: {}, value: count },
    ];
  }
}
