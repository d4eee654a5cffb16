/** One WebSocket of engine `uws`. The engine throws on any use of a closed one; a peer does not. */
import type { OpenPeer } from '../open-peers.ts';
import type { Peer } from '../transport.ts';
import type { UwsSocket } from './engine.ts';

/** RFC 6455: a close frame has at most 125 bytes, two of them the code. */
const MAX_REASON_BYTES = 123;
/**
 * Joined by every peer and never published to. What was published in a tick is sent at its end, and
 * the engine drops it for a peer that has left its last topic by then: so no peer ever leaves the
 * last one.
 */
const LAST_TOPIC = 'last';

export class UwsPeer<Data> implements Peer, OpenPeer {
  unanswered = 0;
  #socket: UwsSocket<Data> | null;

  constructor(socket: UwsSocket<Data>) {
    this.#socket = socket;
    socket.subscribe(LAST_TOPIC);
  }

  get bufferedBytes(): number {
    return this.#socket?.getBufferedAmount() ?? 0;
  }

  send(frames: readonly string[]): void {
    // A frame too many closes the socket, so it is read again before each.
    this.#socket?.cork(() => {
      for (const frame of frames) this.#socket?.send(frame, false);
    });
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket?.send(bytes, true);
  }

  join(topic: string): void {
    this.#socket?.subscribe(topicName(topic));
  }

  leave(topic: string): void {
    this.#socket?.unsubscribe(topicName(topic));
  }

  close(code: number, reason: string): void {
    if (Buffer.byteLength(reason) > MAX_REASON_BYTES) {
      throw new RangeError(`the reason of a close has at most ${MAX_REASON_BYTES} bytes`);
    }
    this.#socket?.end(code, reason);
  }

  ping(): void {
    this.#socket?.ping();
  }

  cut(): void {
    this.#socket?.close();
  }

  /** The engine has released the socket. */
  forget(): void {
    this.#socket = null;
  }
}

/** The engine's name of a topic, never equal to LAST_TOPIC. */
export function topicName(topic: string): string {
  return `of ${topic}`;
}
