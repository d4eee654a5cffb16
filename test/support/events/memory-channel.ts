/** A channel between two hosts in one process: asynchronous, in order, cut when a test says so. */
import type { Channel, ChannelHandler } from '../../../server/fleet/carrier.ts';

const CUT = 1006;

type Message = { text: string } | { bytes: Uint8Array } | { code: number; reason: string };

/** What both ends of a channel know of their host. */
export interface ChannelHost {
  readonly isHeld: boolean;
  sentBytes: number;
  readonly channels: Set<MemoryChannel>;
}

/** Two ends: the one of `here` leads to the host with the id `toThere`. */
export function channelBetween(
  here: ChannelHost,
  toThere: string,
  there: ChannelHost,
  toHere: string,
): [MemoryChannel, MemoryChannel] {
  const one = new MemoryChannel(toThere, here);
  const two = new MemoryChannel(toHere, there);
  one.connect(two);
  two.connect(one);
  return [one, two];
}

export class MemoryChannel implements Channel {
  readonly host: string;
  queuedBytes = 0;
  readonly #carrier: ChannelHost;
  #other: MemoryChannel | null = null;
  #handler: ChannelHandler | null = null;
  #inbox: Message[] = [];
  #isOver = false;

  constructor(host: string, carrier: ChannelHost) {
    this.host = host;
    this.#carrier = carrier;
    carrier.channels.add(this);
  }

  connect(other: MemoryChannel): void {
    this.#other = other;
  }

  handle(handler: ChannelHandler): void {
    this.#handler = handler;
    this.deliverSoon();
  }

  sendText(text: string): void {
    this.#send({ text });
  }

  sendBytes(bytes: Uint8Array): void {
    this.#send({ bytes: new Uint8Array(bytes) });
  }

  close(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#send({ code, reason });
    this.#end();
  }

  /** Both ends notice that it is gone; what was under way is lost. */
  cut(): void {
    for (const end of [this, this.#other]) {
      if (end === null || end.#isOver) continue;
      end.#inbox = [{ code: CUT, reason: 'cut' }];
      end.deliverSoon();
    }
  }

  deliverSoon(): void {
    setImmediate(() => this.#deliver());
  }

  #send(message: Message): void {
    if (this.#isOver || this.#other === null) return;
    this.queuedBytes += sizeOf(message);
    this.#carrier.sentBytes += sizeOf(message);
    this.#other.#inbox.push(message);
    this.#other.deliverSoon();
  }

  #deliver(): void {
    if (this.#handler === null || this.#carrier.isHeld || this.#isOver) return;
    for (let next = this.#inbox.shift(); next !== undefined; next = this.#inbox.shift()) {
      if ('code' in next) {
        this.#end();
        this.#handler.closed(next.code, next.reason);
        return;
      }
      if ('text' in next) this.#handler.text(next.text);
      else this.#handler.bytes(next.bytes);
      this.#other?.taken(sizeOf(next));
    }
  }

  /** The other end handled so many bytes. */
  taken(bytes: number): void {
    this.queuedBytes -= bytes;
    if (this.queuedBytes === 0 && !this.#isOver) this.#handler?.drained();
  }

  #end(): void {
    this.#isOver = true;
    this.#carrier.channels.delete(this);
  }
}

function sizeOf(message: Message): number {
  if ('text' in message) return Buffer.byteLength(message.text);
  return 'bytes' in message ? message.bytes.length : 0;
}
