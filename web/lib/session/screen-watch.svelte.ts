/** The live snapshot of one terminal: pushed while the page is live, fetched while it polls. */
import { asRequestError } from '$lib/client/request-error.ts';
import type { ScreenFrame } from '$lib/client/link-news.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { DrawTurns } from './draw-turns.ts';
import { mergeScreen, type Snapshot, toScreen } from './merge-screen.ts';

export interface Pace {
  /** Between two shown snapshots; the newest is always shown. 0: each, at once. */
  showEveryMs: number;
  /** Between two snapshots while the page polls. */
  fetchEveryMs: number;
}

const AT_ONCE: Pace = { showEveryMs: 0, fetchEveryMs: 2_000 };

/** Of all screens that have a pace. */
const TURNS = new DrawTurns({
  now: () => performance.now(),
  nextFrame: (draw) => void requestAnimationFrame(draw),
  // Captured: also of a part of the page that scrolls.
  onScroll: (listener) =>
    document.addEventListener('scroll', listener, { capture: true, passive: true }),
});

export class ScreenWatch {
  snapshot = $state.raw<Snapshot | null>(null);
  isClosed = $state(false);
  problem = $state<string | null>(null);

  readonly #feed: Feed;
  readonly #session: string;

  readonly #pace: Pace;
  /** The newest snapshot, shown or not. */
  #newest: Snapshot | null = null;
  #showTimer: ReturnType<typeof setTimeout> | undefined;
  #giveUpTurn: (() => void) | undefined;

  constructor(feed: Feed, session: string, pace = AT_ONCE) {
    this.#feed = feed;
    this.#session = session;
    this.#pace = pace;
  }

  /** Starts watching; call the result to stop. */
  start(): () => void {
    const unwatch = this.#feed.watchScreen(this.#session, (frame) => this.#take(frame));
    const timer = setInterval(() => void this.#fetch(), this.#pace.fetchEveryMs);
    return () => {
      clearInterval(timer);
      clearTimeout(this.#showTimer);
      this.#showTimer = undefined;
      this.#giveUpTurn?.();
      this.#giveUpTurn = undefined;
      unwatch();
    };
  }

  #take(frame: ScreenFrame): void {
    if (frame.type === 'error') {
      if (frame.session === this.#session) this.isClosed = true;
      else if (frame.code === 'terminal_failed') this.problem = frame.message;
      return;
    }
    if (frame.session !== this.#session) return;
    if (frame.type === 'screen_closed') {
      this.isClosed = true;
      return;
    }
    this.#show(mergeScreen(this.#newest, frame));
  }

  async #fetch(): Promise<void> {
    if (this.#feed.link.state !== 'polling' || document.hidden) return;
    try {
      const screen = await this.#feed.rest.call('getScreen', { session: this.#session });
      this.#show(toScreen(screen));
    } catch (thrown) {
      const error = asRequestError(thrown);
      if (error.code === 'session_unknown') this.isClosed = true;
      else this.problem = error.message;
    }
  }

  #show(snapshot: Snapshot | null): void {
    if (snapshot === null) return;
    this.#newest = snapshot;
    this.isClosed = false;
    this.problem = null;
    if (this.#pace.showEveryMs === 0) this.snapshot = snapshot;
    else if (this.#showTimer === undefined) this.#giveUpTurn ??= TURNS.add(() => this.#draw());
  }

  #draw(): void {
    this.#giveUpTurn = undefined;
    this.snapshot = this.#newest;
    this.#showTimer = setTimeout(() => {
      this.#showTimer = undefined;
      if (this.snapshot !== this.#newest) this.#show(this.#newest);
    }, this.#pace.showEveryMs);
  }
}
