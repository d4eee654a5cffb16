/**
 * How often the log says that only the files of a module changed: at once, then at growing intervals
 * while it continues. A program that writes all day must not push other events out of the log.
 */
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 16_000;

export class EventPace {
  readonly #last = new Map<string, { atMs: number; pauseMs: number }>();

  /** 0: an event is due and counts as written. Else the milliseconds until one is. */
  waitMs(path: string, nowMs: number): number {
    const last = this.#last.get(path);
    const sinceMs = last === undefined ? Infinity : nowMs - last.atMs;
    const pauseMs = last?.pauseMs ?? FIRST_PAUSE_MS;
    if (sinceMs < pauseMs) return pauseMs - sinceMs;
    const isCalm = sinceMs > 2 * pauseMs;
    const next = isCalm ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS);
    this.#last.set(path, { atMs: nowMs, pauseMs: next });
    return 0;
  }

  /** Forgets those that are calm. */
  prune(nowMs: number): void {
    for (const [path, { atMs, pauseMs }] of this.#last)
      if (nowMs - atMs > 2 * pauseMs) this.#last.delete(path);
  }
}
