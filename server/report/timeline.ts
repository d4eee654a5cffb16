/** When a unit of work was open, and where its time went. Pure; times in milliseconds since 1970. */
import type { ReportSeconds, ReportShare } from '../../shared/schema/usage/report.ts';

/** One part of a timeline: in it the time went to `share`. */
export interface Span {
  fromMs: number;
  toMs: number;
  share: ReportShare;
}

/** Null: it was not open. */
interface Entry {
  atMs: number;
  share: ReportShare | null;
}

export class Timeline {
  readonly #entries: Entry[] = [];

  /** From then on its time goes there. A wall clock that goes back adds nothing. */
  enter(atMs: number, share: ReportShare | null): void {
    const last = this.#entries.at(-1);
    if (last?.share === share) return;
    this.#entries.push({ atMs: Math.max(atMs, last?.atMs ?? atMs), share });
  }

  get share(): ReportShare | null {
    return this.#entries.at(-1)?.share ?? null;
  }

  get openedMs(): number {
    return this.#entries[0]?.atMs ?? 0;
  }

  /** Null while it is open. */
  get closedMs(): number | null {
    const last = this.#entries.at(-1);
    return last?.share === null ? last.atMs : null;
  }

  /** The parts with an open moment in the interval, `untilMs` excluded, cut to it, in order. */
  spansIn(sinceMs: number, untilMs: number): Span[] {
    return this.#entries.flatMap(({ atMs, share }, index) => {
      if (share === null) return [];
      const toMs = this.#entries[index + 1]?.atMs ?? untilMs;
      const isIn = atMs < untilMs && (toMs > sinceMs || (toMs === atMs && atMs >= sinceMs));
      const part = { fromMs: Math.max(atMs, sinceMs), toMs: Math.min(toMs, untilMs), share };
      return isIn ? [part] : [];
    });
  }

  /**
   * From its first to its last open moment in the interval, `untilMs` excluded; null when it was open
   * at no moment of it. Between an end and a continuation it counts as stopped.
   */
  secondsIn(sinceMs: number, untilMs: number): ReportSeconds | null {
    const spans = this.spansIn(sinceMs, untilMs);
    if (spans.length === 0) return null;
    const seconds = noSeconds();
    let reachedMs = spans[0]?.fromMs ?? 0;
    for (const { fromMs, toMs, share } of spans) {
      seconds.stopped += (fromMs - reachedMs) / 1000;
      seconds[share] += (toMs - fromMs) / 1000;
      reachedMs = toMs;
    }
    return seconds;
  }
}

export function noSeconds(): ReportSeconds {
  return { working: 0, waiting: 0, quota: 0, recovering: 0, queued: 0, stopped: 0 };
}
