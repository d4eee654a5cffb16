/**
 * Live pictures of the sessions that somebody watches, and of no other. One capture serves all
 * viewers of a session; they get the rows that changed. A picture may be dropped, the newest is not.
 */
import type { Screen } from '../../shared/model.ts';
import type { Clock, Timer } from '../lib/clock.ts';

export interface ScreenUpdate {
  rev: number;
  cols: number;
  rows: number;
  cursor: [number, number];
  /** Row number → text; all rows when `full`. */
  lines: Record<string, string>;
  full: boolean;
}

/** Gets each change, and null when the session cannot be shown any more. */
export type ScreenViewer = (update: ScreenUpdate | null) => void;

/** A watched screen that changes is captured this often; a capture costs about 5 ms of CPU. */
const BUSY_INTERVAL_MS = 200;
const QUIET_INTERVAL_MS = 1_000;
/** Unchanged captures until a screen counts as quiet. */
const QUIET_AFTER = 15;

export class ScreenFeed {
  readonly #capture: (session: string) => Promise<Screen>;
  readonly #clock: Clock;
  readonly #watched = new Map<string, WatchedScreen>();

  constructor(options: { capture: (session: string) => Promise<Screen>; clock: Clock }) {
    this.#capture = options.capture;
    this.#clock = options.clock;
  }

  /** Shows the session to `viewer` until the returned function is called. */
  watch(session: string, viewer: ScreenViewer): () => void {
    let screen = this.#watched.get(session);
    if (screen === undefined) {
      screen = new WatchedScreen(async () => this.#capture(session), this.#clock);
      this.#watched.set(session, screen);
    }
    const current = screen;
    current.add(viewer);
    return () => {
      current.remove(viewer);
      if (current.unwatched && this.#watched.get(session) === current)
        this.#watched.delete(session);
    };
  }
}

class WatchedScreen {
  readonly #capture: () => Promise<Screen>;
  readonly #clock: Clock;
  readonly #viewers = new Set<ScreenViewer>();
  #last: Screen | null = null;
  #rev = 0;
  #unchanged = 0;
  #timer: Timer | null = null;
  #capturing = false;

  constructor(capture: () => Promise<Screen>, clock: Clock) {
    this.#capture = capture;
    this.#clock = clock;
  }

  get unwatched(): boolean {
    return this.#viewers.size === 0;
  }

  add(viewer: ScreenViewer): void {
    this.#viewers.add(viewer);
    if (this.#last !== null) viewer(update(this.#last, null, this.#rev));
    this.#unchanged = 0;
    this.#timer?.cancel();
    if (!this.#capturing) void this.#look();
  }

  remove(viewer: ScreenViewer): void {
    this.#viewers.delete(viewer);
    if (this.unwatched) this.#timer?.cancel();
  }

  async #look(): Promise<void> {
    this.#capturing = true;
    try {
      this.#show(await this.#capture());
    } catch {
      for (const viewer of this.#viewers) viewer(null);
      this.#viewers.clear();
    } finally {
      this.#capturing = false;
    }
    if (this.unwatched) return;
    const pause = this.#unchanged > QUIET_AFTER ? QUIET_INTERVAL_MS : BUSY_INTERVAL_MS;
    this.#timer = this.#clock.after(pause, () => void this.#look());
  }

  #show(screen: Screen): void {
    const next = update(screen, this.#last, this.#rev + 1);
    const moved = this.#last?.cursor.join() !== screen.cursor.join();
    if (!next.full && !moved && Object.keys(next.lines).length === 0) {
      this.#unchanged += 1;
      return;
    }
    this.#unchanged = 0;
    this.#last = screen;
    this.#rev = next.rev;
    for (const viewer of this.#viewers) viewer(next);
  }
}

function update(screen: Screen, before: Screen | null, rev: number): ScreenUpdate {
  const { cols, rows, cursor } = screen;
  const full = before === null || before.cols !== cols || before.rows !== rows;
  const changed = screen.lines
    .map((line, row) => [String(row), line] as const)
    .filter(([row, line]) => full || before.lines[Number(row)] !== line);
  return { rev, cols, rows, cursor, lines: Object.fromEntries(changed), full };
}
