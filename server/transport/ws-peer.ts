/**
 * One WebSocket of engine `ws`. Text frames bypass `ws` as bytes, so that many peers share them.
 */
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { encodeFrames } from './encode-frames.ts';
import type { OpenPeer } from './open-peers.ts';
import type { Peer } from './transport.ts';

/** The peers that joined each topic. */
export class WsTopics {
  readonly #peers = new Map<string, Set<WsPeer>>();

  join(topic: string, peer: WsPeer): void {
    const peers = this.#peers.get(topic);
    if (peers === undefined) this.#peers.set(topic, new Set([peer]));
    else peers.add(peer);
  }

  leave(topic: string, peer: WsPeer): void {
    const peers = this.#peers.get(topic);
    peers?.delete(peer);
    if (peers?.size === 0) this.#peers.delete(topic);
  }

  publish(topic: string, frames: readonly string[]): void {
    const peers = this.#peers.get(topic);
    if (peers === undefined || frames.length === 0) return;
    const bytes = encodeFrames(frames);
    for (const peer of peers) peer.write(bytes);
  }
}

export class WsPeer implements Peer, OpenPeer {
  unanswered = 0;
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #topics: WsTopics;

  constructor(webSocket: WebSocket, socket: Duplex, topics: WsTopics) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#topics = topics;
    webSocket.on('pong', () => (this.unanswered = 0));
  }

  get bufferedBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  send(frames: readonly string[]): void {
    this.write(encodeFrames(frames));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#webSocket.send(bytes);
  }

  join(topic: string): void {
    this.#topics.join(topic, this);
  }

  leave(topic: string): void {
    this.#topics.leave(topic, this);
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  ping(): void {
    this.#webSocket.ping();
  }

  cut(): void {
    this.#webSocket.terminate();
  }

  /** Expects whole frames. Nothing may follow a close frame. */
  write(frames: Buffer): void {
    if (this.#webSocket.readyState === WebSocket.OPEN) this.#socket.write(frames);
  }
}
