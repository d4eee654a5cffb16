/** The live picture of one terminal: pushed while the page is live, fetched while it polls. */
import { asRequestError } from '$lib/client/request-error.ts';
import type { ScreenFrame } from '$lib/client/event-link.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { mergeScreen, type Picture, toPicture } from './merge-screen.ts';

const FETCH_EVERY_MS = 2_000;

export class ScreenWatch {
  picture = $state.raw<Picture | null>(null);
  isClosed = $state(false);
  problem = $state<string | null>(null);

  readonly #feed: Feed;
  readonly #session: string;

  constructor(feed: Feed, session: string) {
    this.#feed = feed;
    this.#session = session;
  }

  /** Starts watching; the result ends it. */
  start(): () => void {
    const unwatch = this.#feed.watchScreen(this.#session, (frame) => this.#take(frame));
    const timer = setInterval(() => void this.#fetch(), FETCH_EVERY_MS);
    return () => {
      clearInterval(timer);
      unwatch();
    };
  }

  #take(frame: ScreenFrame): void {
    if (frame.type === 'error') {
      if (frame.code === 'session_unknown') this.isClosed = true;
      else if (frame.code === 'terminal_failed') this.problem = frame.message;
      return;
    }
    if (frame.session !== this.#session) return;
    if (frame.type === 'screen_closed') {
      this.isClosed = true;
      return;
    }
    this.#show(mergeScreen(this.picture, frame));
  }

  async #fetch(): Promise<void> {
    if (this.#feed.link.state !== 'polling' || document.hidden) return;
    try {
      const screen = await this.#feed.rest.call('getScreen', { session: this.#session });
      this.#show(toPicture(screen));
    } catch (thrown) {
      const error = asRequestError(thrown);
      if (error.code === 'session_unknown') this.isClosed = true;
      else this.problem = error.message;
    }
  }

  #show(picture: Picture | null): void {
    if (picture === null) return;
    this.picture = picture;
    this.isClosed = false;
    this.problem = null;
  }
}
