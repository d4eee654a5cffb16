/**
 * Live snapshots of watched sessions only. One capture serves all viewers of a session; they get
 * the rows that changed. A snapshot may be dropped, but never the newest.
 */
import type { Clock } from '../../lib/clock.ts';
import type { TapListener, TerminalTap } from '../../terminals/terminal.ts';
import { LiveScreen, type ScreenViewer } from './live-screen.ts';
import type { Snapshot, ScreenUpdate } from './screen-update.ts';

export class ScreenFeed {
  readonly #tap: (session: string, listener: TapListener) => Promise<TerminalTap>;
  readonly #capture: (session: string) => Promise<Snapshot>;
  readonly #clock: Clock;
  readonly #watched = new Map<string, LiveScreen>();

  constructor(options: {
    tap: (session: string, listener: TapListener) => Promise<TerminalTap>;
    capture: (session: string) => Promise<Snapshot>;
    clock: Clock;
  }) {
    this.#tap = options.tap;
    this.#capture = options.capture;
    this.#clock = options.clock;
  }

  /** Shows the session to `viewer` until the returned function is called. */
  watch(session: string, viewer: ScreenViewer): () => void {
    let snapshot = this.#watched.get(session);
    if (snapshot === undefined) {
      const source = {
        tap: async (listener: TapListener) => this.#tap(session, listener),
        capture: async () => this.#capture(session),
      };
      snapshot = new LiveScreen(source, this.#clock);
      this.#watched.set(session, snapshot);
    }
    const current = snapshot;
    current.add(viewer);
    return () => {
      current.remove(viewer);
      if (current.unwatched && this.#watched.get(session) === current) {
        this.#watched.delete(session);
      }
    };
  }

  /** The full snapshot that viewers of the session have; null when there is none. */
  current(session: string): ScreenUpdate | null {
    return this.#watched.get(session)?.current ?? null;
  }
}
