/** When a unit of work was open, and where its time went. Pure; times in milliseconds since 1970. */
import type { ReportSeconds, ReportShare } from '../../shared/schema/report.ts';

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

  /**
   * From its first to its last open moment in the interval, `untilMs` excluded; null when it was open
   * at no moment of it. Between an end and a continuation it counts as stopped.
   */
  secondsIn(sinceMs: number, untilMs: number): ReportSeconds | null {
    const parts = this.#entries.flatMap(({ atMs, share }, index) => {
      if (share === null) return [];
      const toMs = this.#entries[index + 1]?.atMs ?? untilMs;
      const isIn = atMs < untilMs && (toMs > sinceMs || (toMs === atMs && atMs >= sinceMs));
      return isIn ? [{ from: Math.max(atMs, sinceMs), to: Math.min(toMs, untilMs), share }] : [];
    });
    if (parts.length === 0) return null;
    const seconds = noSeconds();
    let reached = parts[0]?.from ?? 0;
    for (const { from, to, share } of parts) {
      seconds.stopped += (from - reached) / 1000;
      seconds[share] += (to - from) / 1000;
      reached = to;
    }
    return seconds;
  }
}

export function noSeconds(): ReportSeconds {
  return { working: 0, waiting: 0, quota: 0, recovering: 0, queued: 0, stopped: 0 };
}
