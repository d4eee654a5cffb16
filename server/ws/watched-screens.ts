/** The screens one peer watches. */
import type { Peer } from '../transport/transport.ts';
import type { ScreenChannels } from './screen-channels.ts';

const MAX_SCREENS = 64;

export class WatchedScreens {
  readonly #peer: Peer;
  readonly #screens: ScreenChannels;
  readonly #watched = new Map<string, ReturnType<ScreenChannels['join']>>();

  constructor(peer: Peer, screens: ScreenChannels) {
    this.#peer = peer;
    this.#screens = screens;
  }

  /** Begins with a whole picture, also when the session is watched already. */
  watch(session: string): void {
    this.unwatch(session);
    if (this.#watched.size >= MAX_SCREENS) return;
    const channel = this.#screens.join(session, this.#peer, () => this.unwatch(session));
    this.#watched.set(session, channel);
  }

  unwatch(session: string): void {
    if (this.#watched.delete(session)) this.#screens.leave(session, this.#peer);
  }

  drained(): void {
    for (const channel of this.#watched.values()) channel.drained(this.#peer);
  }

  end(): void {
    for (const session of [...this.#watched.keys()]) this.unwatch(session);
  }
}
