/**
 * One WebSocket from opening to close: ticket, keep-alive, acknowledgements. Reconnecting is done
 * by `EventLink`.
 */
import { CloseCode, SUBPROTOCOL, TICKET_PREFIX } from '$shared/rules/wire.ts';
import type { ClientFrame, ServerFrame } from '$shared/schema/events/protocol.ts';

const WELCOME_WITHIN_MS = 10_000;
const PING_EVERY_MS = 20_000;
const PONG_WITHIN_MS = 10_000;
/** The daemon disconnects a reader with 2,000 unacknowledged events. */
const ACK_AFTER_EVENTS = 64;
const ACK_AFTER_MS = 1_000;

export interface LiveSocketOptions {
  url: string;
  ticket: string;
  onFrame: (frame: ServerFrame) => void;
  /** Output of the attached terminal. */
  onBytes?: (bytes: Uint8Array) => void;
  /** Called once, no matter what ended the socket. */
  onClose: (code: number) => void;
}

export class LiveSocket {
  readonly #socket: WebSocket;
  readonly #options: LiveSocketOptions;
  #deadline: ReturnType<typeof setTimeout>;
  #ping: ReturnType<typeof setInterval> | undefined;
  #ackTimer: ReturnType<typeof setTimeout> | undefined;
  #unacknowledged = 0;
  #newestSeq = 0;
  #closed = false;

  constructor(options: LiveSocketOptions) {
    this.#options = options;
    this.#socket = new WebSocket(options.url, [SUBPROTOCOL, TICKET_PREFIX + options.ticket]);
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.onmessage = (message: MessageEvent<unknown>) => this.#receive(message.data);
    this.#socket.onclose = (event) => this.#end(event.code);
    this.#deadline = setTimeout(() => this.#end(CloseCode.noPong), WELCOME_WITHIN_MS);
  }

  send(frame: ClientFrame): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  /** Types into the attached terminal; false when not connected. */
  sendBytes(bytes: Uint8Array<ArrayBuffer>): boolean {
    if (this.#closed || this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(bytes);
    return true;
  }

  /** Pings now; without an answer in time the socket counts as lost. */
  ping(): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#end(CloseCode.noPong), PONG_WITHIN_MS);
    this.send({ type: 'ping' });
  }

  close(): void {
    this.#end(1000);
  }

  #receive(data: unknown): void {
    if (this.#closed) return;
    clearTimeout(this.#deadline);
    if (data instanceof ArrayBuffer) this.#options.onBytes?.(new Uint8Array(data));
    if (typeof data !== 'string') return;
    const frame = JSON.parse(data) as ServerFrame;
    if (frame.type === 'welcome') this.#ping = setInterval(() => this.ping(), PING_EVERY_MS);
    if (frame.type === 'event') this.#count(frame.event.seq);
    this.#options.onFrame(frame);
  }

  #count(seq: number): void {
    this.#newestSeq = seq;
    this.#unacknowledged += 1;
    if (this.#unacknowledged >= ACK_AFTER_EVENTS) this.#acknowledge();
    else this.#ackTimer ??= setTimeout(() => this.#acknowledge(), ACK_AFTER_MS);
  }

  #acknowledge(): void {
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#unacknowledged = 0;
    this.send({ type: 'ack', seq: this.#newestSeq });
  }

  #end(code: number): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#deadline);
    clearInterval(this.#ping);
    clearTimeout(this.#ackTimer);
    this.#socket.close();
    this.#options.onClose(code);
  }
}
