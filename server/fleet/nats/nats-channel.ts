/** One end of a channel: its order, its parts and its credit. It knows frames, not their way. */
import type { Channel, ChannelHandler } from '../carrier.ts';
import {
  costOf,
  decodeClose,
  decodeCredit,
  decodeFrame,
  encodeClose,
  encodeCredit,
  encodeFrame,
  type Frame,
  type FrameKind,
  PART_BYTES,
} from './channel-frame.ts';

/** The connection or the other host was lost. */
const CHANNEL_LOST = 1001;
/** Frames were lost on the way, or the other end broke the rules. */
const CHANNEL_BROKEN = 1002;
/** Our own handler threw. */
const CHANNEL_FAILED = 1011;
const CHANNEL_TOO_BIG = 1009;

/** Sent before the other end has taken it; the rest waits in the queue. */
const WINDOW_BYTES = 256 * 1024;
/** Taken bytes are reported in lots of this: no frame for each key that is typed. */
const REPORT_BYTES = 64 * 1024;
/** One message, and all that waits; more than any answer of a host has. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
const EMPTY = new Uint8Array(0);

interface Message {
  isText: boolean;
  data: Uint8Array;
}

export class NatsChannel implements Channel {
  readonly host: string;
  readonly #send: (frame: Uint8Array) => void;
  readonly #ended: (failure: unknown) => void;
  readonly #started: () => void;
  #handler: ChannelHandler | null = null;
  #end: { code: number; reason: string } | null = null;
  /** Set by `close`, until all that waits was sent. */
  #closing: { code: number; reason: string } | null = null;
  readonly #queue: Pick<Frame, 'kind' | 'payload'>[] = [];
  #queuedBytes = 0;
  #sent = 0;
  #credit = WINDOW_BYTES;
  #expected = 0;
  #isStarted = false;
  #untaken = 0;
  #toReport = 0;
  readonly #waiting: Message[] = [];
  #parts: Uint8Array[] = [];
  #partBytes = 0;

  constructor(options: {
    host: string;
    /** Sends one frame, now or never. */
    send: (frame: Uint8Array) => void;
    /** The other end says that it is there. */
    started?: () => void;
    /** Called once. `failure` is what our own handler threw, or null. */
    ended: (failure: unknown) => void;
  }) {
    this.host = options.host;
    this.#send = options.send;
    this.#started = options.started ?? (() => undefined);
    this.#ended = options.ended;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  handle(handler: ChannelHandler): void {
    if (this.#handler !== null) throw new Error('a channel has one handler');
    this.#handler = handler;
    const before = this.#end;
    for (const message of this.#waiting.splice(0)) {
      // What arrived before the other end closed is delivered; what follows a close of ours is not.
      if (this.#end === before) this.#deliver(message);
    }
    if (before === null) this.#taken();
    else handler.closed(before.code, before.reason);
  }

  /** The first frame of the end that opened the channel: it proves who that is. */
  start(): void {
    this.#isStarted = true;
    this.#frame('start', EMPTY);
  }

  sendText(text: string): void {
    this.#enqueue('text', Buffer.from(text));
  }

  sendBytes(data: Uint8Array): void {
    // A copy: what the caller does with its buffer afterwards must not change what waits.
    this.#enqueue('bytes', Uint8Array.from(data));
  }

  close(code: number, reason: string): void {
    if (this.#end !== null || this.#closing !== null) return;
    this.#closing = { code, reason };
    this.#pump();
  }

  /** Ends it at once, without a word to the other end. */
  lose(reason: string): void {
    this.#finish(CHANNEL_LOST, reason, null);
  }

  /** Ends it at once at both ends; what still waits is dropped. */
  abort(reason: string): void {
    this.#fail(CHANNEL_LOST, reason, null);
  }

  receive(data: Uint8Array): void {
    if (this.#end !== null) return;
    const frame = decodeFrame(data);
    if (frame?.number !== this.#expected >>> 0) return this.#break('messages were lost on the way');
    this.#expected += 1;
    const { kind, payload } = frame;
    if (kind === 'start') {
      if (this.#isStarted) return this.#break('a channel starts once');
      this.#isStarted = true;
      return this.#started();
    }
    if (!this.#isStarted) return this.#break('a channel starts first');
    if (kind === 'close') {
      const { code, reason } = decodeClose(payload) ?? { code: CHANNEL_BROKEN, reason: '' };
      return this.#finish(code, reason, null);
    }
    if (kind === 'credit') {
      const credit = this.#credit + decodeCredit(payload);
      if (credit > WINDOW_BYTES) return this.#break('more was taken than was sent');
      return this.#resume(credit);
    }
    this.#take(kind, payload);
  }

  #take(kind: FrameKind, payload: Uint8Array): void {
    this.#untaken += costOf(payload);
    if (this.#untaken + this.#toReport > WINDOW_BYTES)
      return this.#break('more was sent than the window holds');
    this.#partBytes += payload.length;
    if (this.#partBytes > MAX_MESSAGE_BYTES) return this.#fail(CHANNEL_TOO_BIG, 'too large', null);
    this.#parts.push(payload);
    if (kind === 'text' || kind === 'bytes') {
      const data = this.#parts.length === 1 ? payload : Buffer.concat(this.#parts);
      this.#parts = [];
      this.#partBytes = 0;
      const message = { isText: kind === 'text', data };
      if (this.#handler === null) this.#waiting.push(message);
      else this.#deliver(message);
    }
    if (this.#handler !== null) this.#taken();
  }

  #deliver({ isText, data }: Message): void {
    try {
      if (isText) this.#handler?.text(Buffer.from(data).toString('utf8'));
      else this.#handler?.bytes(data);
    } catch (error) {
      this.#fail(CHANNEL_FAILED, 'the other host failed', error);
    }
  }

  #taken(): void {
    this.#toReport += this.#untaken;
    this.#untaken = 0;
    if (this.#toReport < REPORT_BYTES || this.#end !== null) return;
    this.#frame('credit', encodeCredit(this.#toReport));
    this.#toReport = 0;
  }

  #enqueue(kind: 'text' | 'bytes', data: Uint8Array): void {
    if (this.#end !== null || this.#closing !== null) return;
    if (this.#queuedBytes + data.length > MAX_MESSAGE_BYTES) {
      return this.#fail(CHANNEL_TOO_BIG, 'too much waits for the other host', null);
    }
    this.#queuedBytes += data.length;
    for (let from = 0; from === 0 || from < data.length; from += PART_BYTES) {
      const payload = data.subarray(from, from + PART_BYTES);
      const isLast = from + PART_BYTES >= data.length;
      this.#queue.push({ kind: isLast ? kind : `${kind}-part`, payload });
    }
    this.#pump();
  }

  #resume(credit: number): void {
    const hadQueue = this.#queue.length > 0;
    this.#credit = credit;
    this.#pump();
    if (hadQueue && this.#queue.length === 0 && this.#end === null) this.#handler?.drained();
  }

  #pump(): void {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (this.#end !== null || costOf(next.payload) > this.#credit) return;
      this.#queue.shift();
      this.#credit -= costOf(next.payload);
      this.#queuedBytes -= next.payload.length;
      this.#frame(next.kind, next.payload);
    }
    if (this.#closing !== null) this.#fail(this.#closing.code, this.#closing.reason, null);
  }

  #frame(kind: FrameKind, payload: Uint8Array): void {
    this.#send(encodeFrame({ kind, number: this.#sent, payload }));
    this.#sent += 1;
  }

  #break(reason: string): void {
    this.#fail(CHANNEL_BROKEN, reason, null);
  }

  /** Ends it at both ends. */
  #fail(code: number, reason: string, failure: unknown): void {
    if (this.#end !== null) return;
    this.#frame('close', encodeClose(code, reason));
    this.#finish(code, reason, failure);
  }

  #finish(code: number, reason: string, failure: unknown): void {
    if (this.#end !== null) return;
    this.#end = { code, reason };
    this.#queue.length = 0;
    this.#queuedBytes = 0;
    this.#ended(failure);
    this.#handler?.closed(code, reason);
  }
}
