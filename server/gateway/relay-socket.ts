/** A WebSocket of a browser here, passed on to another host frame by frame. */
import { CloseCode } from '../../shared/rules/wire.ts';
import type { Channel } from '../fleet/carrier.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import {
  addBearer,
  type Bearer,
  type Identity,
  type IdentityEnd,
  removeBearer,
} from '../people/identity.ts';
import type { Peer, PeerHandler } from '../transport/transport.ts';
import { readAnswerHead, SWITCHED } from './answer-head.ts';
import { Taken } from './send-window.ts';
import { FRAME_MARK } from './serve-socket.ts';

const OPEN_MS = 30_000;
/** Below this the kernel takes what is written without another word. */
const LOW_BYTES = 64 * 1024;
/** Frames of the browser that the other host has not taken; its own limit is far below. */
const MAX_WAITING_BYTES = 2 * 1024 * 1024;

export interface RelayOptions {
  clock: Clock;
  /** Of the person, here: it ends with theirs. */
  identity: Identity;
  /** Opens the channel; rejects when the host cannot be reached. */
  open: () => Promise<Channel>;
  /** Called once: the host has decided, or the socket ended before. */
  decided: () => void;
}

export class RelayedSocket implements PeerHandler, Bearer {
  readonly #peer: Peer;
  readonly #identity: Identity;
  readonly #decided: () => void;
  readonly #deadline: Timer;
  #channel: Channel | null = null;
  #taken: Taken | null = null;
  #waiting: (string | Uint8Array)[] = [];
  #waitingBytes = 0;
  /** Sent to the browser, and not known to be taken. */
  #untaken = 0;
  #isOpen = false;
  #isOver = false;

  constructor(peer: Peer, { clock, identity, open, decided }: RelayOptions) {
    this.#peer = peer;
    this.#identity = identity;
    this.#decided = decided;
    this.#deadline = clock.after(OPEN_MS, () => this.#end(CloseCode.hostUnreachable, 'no answer'));
    addBearer(identity, this);
    open().then(
      (channel) => this.#connect(channel),
      () => this.#end(CloseCode.hostUnreachable, 'host_unreachable'),
    );
  }

  identityEnded(how: IdentityEnd): void {
    if (how === 'ended') this.#end(CloseCode.accessEnded, 'access_ended');
    else this.#end(CloseCode.identityChanged, 'identity_changed');
  }

  message(text: string): void {
    this.#send(FRAME_MARK + text);
  }

  bytes(data: Uint8Array): void {
    this.#send(data);
  }

  drained(): void {
    this.#taken?.add(this.#untaken);
    this.#untaken = 0;
  }

  closed(): void {
    this.#finish();
    this.#channel?.close(1000, 'the browser has left');
  }

  #connect(channel: Channel): void {
    if (this.#isOver) return channel.close(1000, 'the browser has left');
    this.#channel = channel;
    this.#taken = new Taken((text) => channel.sendText(text));
    channel.handle({
      text: (text) => {
        if (!this.#isOpen) return this.#decide(text);
        this.#peer.send([text]);
        this.#passed(Buffer.byteLength(text));
      },
      bytes: (data) => {
        this.#peer.sendBytes(data);
        this.#passed(data.length);
      },
      drained: () => undefined,
      closed: (code, reason) => {
        // What is no word of the application is the end of the way to it.
        const isSaid = code === 1000 || code === CloseCode.restart || code >= 4000;
        if (isSaid) this.#end(code, reason);
        else this.#end(CloseCode.hostUnreachable, 'host_unreachable');
      },
    });
  }

  #decide(text: string): void {
    const status = readAnswerHead(text)?.status;
    if (status !== SWITCHED) {
      const isAccess = status === 401 || status === 403;
      return this.#end(isAccess ? CloseCode.accessEnded : CloseCode.hostUnreachable, 'refused');
    }
    this.#isOpen = true;
    this.#deadline.cancel();
    this.#decided();
    for (const message of this.#waiting.splice(0)) this.#pass(message);
  }

  #send(message: string | Uint8Array): void {
    if (this.#isOver) return;
    if (this.#isOpen) return this.#pass(message);
    this.#waiting.push(message);
    this.#waitingBytes += message.length;
    this.#limit(this.#waitingBytes);
  }

  #pass(message: string | Uint8Array): void {
    if (this.#channel === null) return;
    if (typeof message === 'string') this.#channel.sendText(message);
    else this.#channel.sendBytes(message);
    this.#limit(this.#channel.queuedBytes);
  }

  #limit(bytes: number): void {
    if (bytes > MAX_WAITING_BYTES) this.#end(CloseCode.badFrame, 'too many frames');
  }

  #passed(bytes: number): void {
    this.#untaken += bytes;
    if (this.#peer.bufferedBytes <= LOW_BYTES) this.drained();
  }

  /** Ended by the host, or on the way to it: the browser gets this code. */
  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#finish();
    this.#channel?.close(1000, 'ended');
    this.#peer.close(code, reason);
  }

  #finish(): void {
    this.#deadline.cancel();
    removeBearer(this.#identity, this);
    if (!this.#isOver && !this.#isOpen) this.#decided();
    this.#isOver = true;
    this.#waiting = [];
  }
}
