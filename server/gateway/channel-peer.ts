/** A WebSocket whose other end is a browser at another host, as application code sees it. */
import type { Channel } from '../fleet/carrier.ts';
import type { Peer } from '../transport/transport.ts';
import { SendWindow } from './send-window.ts';

/** All of them, and those that joined each topic. */
export class ChannelPeers {
  readonly #all = new Set<ChannelPeer>();
  readonly #topics = new Map<string, Set<ChannelPeer>>();

  add(peer: ChannelPeer): void {
    this.#all.add(peer);
  }

  remove(peer: ChannelPeer): void {
    this.#all.delete(peer);
    for (const topic of [...this.#topics.keys()]) this.leave(topic, peer);
  }

  /** Closes every peer. */
  close(code: number, reason: string): void {
    for (const peer of [...this.#all]) peer.close(code, reason);
  }

  join(topic: string, peer: ChannelPeer): void {
    const peers = this.#topics.get(topic);
    if (peers === undefined) this.#topics.set(topic, new Set([peer]));
    else peers.add(peer);
  }

  leave(topic: string, peer: ChannelPeer): void {
    const peers = this.#topics.get(topic);
    peers?.delete(peer);
    if (peers?.size === 0) this.#topics.delete(topic);
  }

  publish(topic: string, frames: readonly string[]): void {
    for (const peer of [...(this.#topics.get(topic) ?? [])]) peer.send(frames);
  }
}

export class ChannelPeer implements Peer {
  readonly window = new SendWindow();
  readonly #channel: Channel;
  readonly #peers: ChannelPeers;
  readonly #closed: () => void;

  /** `closed` is called when this end closes it. */
  constructor(channel: Channel, peers: ChannelPeers, closed: () => void) {
    this.#channel = channel;
    this.#peers = peers;
    this.#closed = closed;
  }

  get bufferedBytes(): number {
    return Math.max(this.window.bytes, this.#channel.queuedBytes);
  }

  send(frames: readonly string[]): void {
    for (const frame of frames) {
      this.window.sent(Buffer.byteLength(frame));
      this.#channel.sendText(frame);
    }
  }

  sendBytes(bytes: Uint8Array): void {
    this.window.sent(bytes.length);
    this.#channel.sendBytes(bytes);
  }

  join(topic: string): void {
    this.#peers.join(topic, this);
  }

  leave(topic: string): void {
    this.#peers.leave(topic, this);
  }

  close(code: number, reason: string): void {
    this.#channel.close(code, reason);
    this.#closed();
  }
}
