/**
 * The watched screens. A change on one is encoded once and published to all who have the snapshot
 * before it. A peer that is behind leaves the topic, misses snapshots, and then gets a whole one.
 */
import type { ScreenFeed } from '../sessions/showing/screen-feed.ts';
import type { ScreenUpdate } from '../sessions/showing/screen-update.ts';
import type { Peer } from '../transport/transport.ts';

type Publish = (topic: string, frames: readonly string[]) => void;

/** Of one peer. */
const MAX_SCREENS = 64;
/** Beyond this the next snapshot would only queue behind older ones. */
const MAX_BUFFERED_BYTES = 256 * 1024;

export class ScreenChannels {
  readonly #feed: ScreenFeed;
  readonly #publish: Publish;
  readonly #channels = new Map<string, ScreenChannel>();

  constructor(feed: ScreenFeed, publish: Publish) {
    this.#feed = feed;
    this.#publish = publish;
  }

  /** Shows the session to a peer until it leaves; `closed` is called when it cannot be shown. */
  join(session: string, peer: Peer, closed: () => void): ScreenChannel {
    let channel = this.#channels.get(session);
    if (channel === undefined) {
      channel = new ScreenChannel(session, this.#feed, this.#publish);
      this.#channels.set(session, channel);
    }
    channel.join(peer, closed);
    return channel;
  }

  leave(session: string, peer: Peer): void {
    const channel = this.#channels.get(session);
    channel?.leave(peer);
    if (channel?.viewers === 0) this.#channels.delete(session);
  }

  /** Number of viewers of each watched session. */
  stats(): number[] {
    return [...this.#channels.values()].map(({ viewers }) => viewers);
  }
}

/** The screens one peer watches. */
export class WatchedScreens {
  readonly #peer: Peer;
  readonly #screens: ScreenChannels;
  readonly #watched = new Map<string, ReturnType<ScreenChannels['join']>>();

  constructor(peer: Peer, screens: ScreenChannels) {
    this.#peer = peer;
    this.#screens = screens;
  }

  /** Begins with a whole snapshot, also when the session is watched already. */
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

class ScreenChannel {
  readonly #session: string;
  readonly #topic: string;
  readonly #feed: ScreenFeed;
  readonly #publish: Publish;
  /** Every viewer, with its callback for when there is nothing to show any more. */
  readonly #viewers = new Map<Peer, () => void>();
  readonly #behind = new Set<Peer>();
  /** The whole snapshot of one revision, for all who join at it. */
  #whole: { rev: number; frame: string } | null = null;
  #stop: () => void = () => undefined;

  constructor(session: string, feed: ScreenFeed, publish: Publish) {
    this.#session = session;
    this.#topic = `screen ${session}`;
    this.#feed = feed;
    this.#publish = publish;
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  join(peer: Peer, closed: () => void): void {
    const isFirst = this.#viewers.size === 0;
    this.#viewers.set(peer, closed);
    this.#showWhole(peer);
    if (isFirst) this.#stop = this.#feed.watch(this.#session, (update) => this.#show(update));
  }

  leave(peer: Peer): void {
    if (!this.#viewers.delete(peer)) return;
    this.#behind.delete(peer);
    peer.leave(this.#topic);
    if (this.#viewers.size === 0) this.#stop();
  }

  /** The peer took what was on its way. */
  drained(peer: Peer): void {
    if (this.#behind.delete(peer)) this.#showWhole(peer);
  }

  #showWhole(peer: Peer): void {
    const current = this.#feed.current(this.#session);
    if (current !== null) {
      const { rev } = current;
      if (this.#whole?.rev !== rev) this.#whole = { rev, frame: this.#encode(current) };
      peer.send([this.#whole.frame]);
    }
    peer.join(this.#topic);
  }

  #show(update: ScreenUpdate | null): void {
    if (update === null) return this.#end();
    for (const peer of this.#viewers.keys()) {
      if (peer.bufferedBytes <= MAX_BUFFERED_BYTES || this.#behind.has(peer)) continue;
      this.#behind.add(peer);
      peer.leave(this.#topic);
    }
    if (this.#behind.size < this.#viewers.size) this.#publish(this.#topic, [this.#encode(update)]);
  }

  #end(): void {
    const frame = JSON.stringify({ type: 'screen_closed', session: this.#session });
    for (const [peer, closed] of [...this.#viewers]) {
      peer.send([frame]);
      closed();
    }
  }

  #encode(update: ScreenUpdate): string {
    return JSON.stringify({ type: 'screen', session: this.#session, ...update });
  }
}
