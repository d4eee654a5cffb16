/** One WebSocket of engine `uws`. The engine throws at who touches a closed one; a peer does not. */
import type { Peer } from '../transport.ts';
import type { UwsSocket } from './engine.ts';

/** RFC 6455: a close frame has at most 125 bytes, two of them the code. */
const MAX_REASON_BYTES = 123;

export class UwsPeer<Data> implements Peer {
  #socket: UwsSocket<Data> | null;

  constructor(socket: UwsSocket<Data>) {
    this.#socket = socket;
  }

  get bufferedBytes(): number {
    return this.#socket?.getBufferedAmount() ?? 0;
  }

  send(frames: readonly string[]): void {
    // A frame too many closes the socket, so it is asked for before each.
    this.#socket?.cork(() => {
      for (const frame of frames) this.#socket?.send(frame, false);
    });
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket?.send(bytes, true);
  }

  join(topic: string): void {
    this.#socket?.subscribe(topic);
  }

  leave(topic: string): void {
    this.#socket?.unsubscribe(topic);
  }

  close(code: number, reason: string): void {
    if (Buffer.byteLength(reason) > MAX_REASON_BYTES) {
      throw new RangeError(`the reason of a close has at most ${MAX_REASON_BYTES} bytes`);
    }
    this.#socket?.end(code, reason);
  }

  /** Cuts it without a word. */
  cut(): void {
    this.#socket?.close();
  }

  /** The engine has let go of the socket. */
  forget(): void {
    this.#socket = null;
  }
}
