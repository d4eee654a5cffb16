/** How long after each fault the hosts of a fleet agreed again, for the person who reads the figures. */
export class HealingTimes {
  readonly #times: { fault: string; ms: number }[] = [];

  /** Runs what ends when they agree. */
  async measure(fault: string, heal: () => Promise<void>): Promise<void> {
    const began = performance.now();
    await heal();
    this.#times.push({ fault, ms: performance.now() - began });
  }

  /** Of half of them, of 95 in 100, and the longest. */
  figures(): Record<'p50' | 'p95' | 'max', string> {
    const sorted = [...this.#times].sort((one, other) => one.ms - other.ms);
    const say = (share: number) => {
      const { fault = 'none', ms = 0 } = sorted[Math.ceil(sorted.length * share) - 1] ?? {};
      return `${Math.round(ms)} ms after ${fault}`;
    };
    return { p50: say(0.5), p95: say(0.95), max: say(1) };
  }
}
