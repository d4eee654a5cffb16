/** The screens one peer watches. A peer that is behind misses pictures and then gets a whole one. */
import type { ScreenFeed } from '../sessions/screen-feed.ts';
import type { ScreenUpdate } from '../sessions/screen-update.ts';
import type { Peer } from '../transport/transport.ts';

/** Beyond this the next picture would only queue behind older ones. */
const MAX_BUFFERED_BYTES = 256 * 1024;
const MAX_SCREENS = 64;

export class WatchedScreens {
  readonly #peer: Peer;
  readonly #screens: ScreenFeed;
  readonly #unwatch = new Map<string, () => void>();
  readonly #missed = new Set<string>();

  constructor(peer: Peer, screens: ScreenFeed) {
    this.#peer = peer;
    this.#screens = screens;
  }

  watch(session: string): void {
    this.unwatch(session);
    if (this.#unwatch.size >= MAX_SCREENS) return;
    let live = true;
    const stop = this.#screens.watch(session, (update) => {
      if (live) this.#show(session, update);
    });
    this.#unwatch.set(session, () => {
      live = false;
      stop();
    });
  }

  unwatch(session: string): void {
    this.#unwatch.get(session)?.();
    this.#unwatch.delete(session);
    this.#missed.delete(session);
  }

  /** The peer took what was on its way: those it missed a picture of start from a whole one. */
  drained(): void {
    for (const session of [...this.#missed]) this.watch(session);
  }

  end(): void {
    for (const session of [...this.#unwatch.keys()]) this.unwatch(session);
  }

  #show(session: string, update: ScreenUpdate | null): void {
    if (update === null) {
      this.#peer.send([JSON.stringify({ type: 'screen_closed', session })]);
      this.unwatch(session);
    } else if (this.#missed.has(session) || this.#peer.bufferedBytes > MAX_BUFFERED_BYTES) {
      this.#missed.add(session);
    } else {
      this.#peer.send([JSON.stringify({ type: 'screen', session, ...update })]);
    }
  }
}
