/**
 * The current snapshot of one watched terminal. A tap reports when something was written, so a
 * quiet terminal costs nothing; without a tap the terminal is polled instead.
 */
import type { Clock, Timer } from '../../lib/clock.ts';
import type { TapListener, TerminalTap } from '../../terminals/terminal.ts';
import { type Snapshot, type ScreenUpdate, screenUpdate } from './screen-update.ts';

/** Gets each change, and null when the session can no longer be shown. */
export type ScreenViewer = (update: ScreenUpdate | null) => void;

export interface SnapshotSource {
  /** Rejects when no tap is available. */
  tap(listener: TapListener): Promise<TerminalTap>;
  /** Rejects when the terminal cannot be shown. */
  capture(): Promise<Snapshot>;
}

/** From the first byte after quiet to the capture: the output of one redraw arrives within this. */
const LEADING_MS = 4;
/** Between two captures of a terminal that keeps changing; ten per second are enough. */
const CHANGING_MS = 100;
/** Polling interval of a changing screen without a tap; such a capture costs about 5 ms. */
const POLL_BUSY_MS = 200;
const POLL_QUIET_MS = 1_000;
/** Unchanged captures until a polled screen counts as quiet. */
const QUIET_AFTER = 15;
/** Until a failed tap is retried. */
const TAP_AGAIN_MS = 5_000;

export class LiveScreen {
  readonly #source: SnapshotSource;
  readonly #clock: Clock;
  readonly #viewers = new Set<ScreenViewer>();
  #tap: TerminalTap | null = null;
  /** Counts the tap attempts: output of an earlier tap is ignored. */
  #round = 0;
  #last: Snapshot | null = null;
  #rev = 0;
  #unchanged = 0;
  #dirty = false;
  #capturing = false;
  #capturedAt = -Infinity;
  #tapMissedAt = -Infinity;
  #timer: Timer | null = null;

  constructor(source: SnapshotSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  get unwatched(): boolean {
    return this.#viewers.size === 0;
  }

  /** The full snapshot that every viewer has; null before the first. */
  get current(): ScreenUpdate | null {
    return this.#last === null ? null : screenUpdate(this.#last, null, this.#rev);
  }

  add(viewer: ScreenViewer): void {
    const first = this.unwatched;
    this.#viewers.add(viewer);
    const { current } = this;
    if (current !== null) viewer(current);
    if (first) void this.#open();
    else if (this.#tap === null && this.#timer !== null) this.#captureIn(0);
    this.#unchanged = 0;
  }

  remove(viewer: ScreenViewer): void {
    this.#viewers.delete(viewer);
    if (this.unwatched) this.#release();
  }

  async #open(): Promise<void> {
    this.#release();
    const round = this.#round;
    const act = (what: () => void) => () => {
      if (round === this.#round) what();
    };
    try {
      const tap = await this.#source.tap({
        output: act(() => this.#changed()),
        skipped: act(() => this.#changed()),
        ended: act(() => this.#withoutTap()),
      });
      if (round !== this.#round) tap.close();
      else this.#tap = tap;
    } catch {
      act(() => (this.#tapMissedAt = this.#clock.monotonic()))();
    }
    if (round === this.#round) void this.#capture();
  }

  #release(): void {
    this.#round += 1;
    this.#timer?.cancel();
    this.#timer = null;
    this.#tap?.close();
    this.#tap = null;
    this.#dirty = false;
    this.#capturing = false;
  }

  #withoutTap(): void {
    this.#release();
    this.#tapMissedAt = this.#clock.monotonic();
    void this.#capture();
  }

  #changed(): void {
    this.#dirty = true;
    if (this.#tap === null || this.#capturing || this.#timer !== null) return;
    const next = this.#capturedAt + CHANGING_MS - this.#clock.monotonic();
    this.#captureIn(Math.max(LEADING_MS, next));
  }

  #captureIn(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(delayMs, () => {
      this.#timer = null;
      void this.#capture();
    });
  }

  async #capture(): Promise<void> {
    if (this.unwatched) return;
    const [round, tap] = [this.#round, this.#tap];
    const now = this.#clock.monotonic();
    if (tap === null && now - this.#tapMissedAt >= TAP_AGAIN_MS) return this.#open();
    this.#capturing = true;
    this.#dirty = false;
    this.#capturedAt = now;
    const snapshot = await (tap?.snapshot() ?? this.#source.capture()).catch(() => null);
    if (round !== this.#round) return;
    this.#capturing = false;
    if (snapshot !== null) this.#show(snapshot);
    else if (tap !== null) this.#withoutTap();
    else this.#end();
    this.#scheduleNext();
  }

  #scheduleNext(): void {
    if (this.unwatched) return;
    if (this.#tap === null) {
      this.#captureIn(this.#unchanged > QUIET_AFTER ? POLL_QUIET_MS : POLL_BUSY_MS);
    } else if (this.#dirty) this.#changed();
  }

  #end(): void {
    for (const viewer of this.#viewers) viewer(null);
    this.#viewers.clear();
    this.#release();
  }

  #show(snapshot: Snapshot): void {
    const next = screenUpdate(snapshot, this.#last, this.#rev + 1);
    const moved = this.#last?.cursor.join() !== snapshot.cursor.join();
    if (!next.full && !moved && Object.keys(next.lines).length === 0) {
      this.#unchanged += 1;
      return;
    }
    this.#unchanged = 0;
    this.#last = snapshot;
    this.#rev = next.rev;
    for (const viewer of this.#viewers) viewer(next);
  }
}
