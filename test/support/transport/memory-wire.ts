/**
 * A wire without a network: what the daemon sends waits in queues until a schedule lets it arrive,
 * so that every interleaving is possible, and reproducible.
 */
import type { EventLog } from '../../../server/events/event-log.ts';
import type { Clock } from '../../../server/lib/clock.ts';
import { HOME_IDENTITY } from '../../../server/people/identity.ts';
import type { Peer, PeerHandler } from '../../../server/transport/transport.ts';
import { Connection, type ConnectionOptions } from '../../../server/ws/connection.ts';
import { type ServerFrame } from '../../../shared/schema/events/protocol.ts';
import { CloseCode } from '../../../shared/rules/wire.ts';
import { eventsOnly, type Line, type LineEnd, activeSubscriptions, type Wire } from './wire.ts';

/** More ticks than any started operation takes. */
const SETTLE_TURNS = 6;

export class MemoryWire implements Wire {
  readonly #topics = new Map<string, Set<MemoryLine>>();
  readonly #lines = new Set<MemoryLine>();
  #options: ConnectionOptions | null = null;

  async serve(log: EventLog, clock: Clock): Promise<void> {
    await this.close();
    this.#options = eventsOnly(log, clock, (topic, frames) => {
      for (const line of this.#topics.get(topic) ?? []) line.peer.send(frames);
    });
  }

  connect(end: LineEnd): Line {
    if (this.#options === null) throw new Error('nothing serves');
    const line = new MemoryLine(end, this.#options, (topic) => this.#members(topic));
    this.#lines.add(line);
    return line;
  }

  async turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const line of this.#lines) if (line.isOver()) this.#lines.delete(line);
  }

  async heard(): Promise<void> {
    // A frame arrives as it is sent.
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < SETTLE_TURNS; turn += 1) await this.turn();
  }

  subscriptions(): number {
    return this.#options === null ? 0 : activeSubscriptions(this.#options);
  }

  async close(): Promise<void> {
    for (const line of this.#lines) {
      line.peer.close(CloseCode.restart, 'restart');
      line.flow();
    }
    await this.turn();
  }

  #members(topic: string): Set<MemoryLine> {
    const members = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, members);
    return members;
  }
}

class MemoryLine implements Line {
  readonly peer: Peer;
  readonly #end: LineEnd;
  readonly #handler: PeerHandler;
  /** Texts, and finally the code of a close. */
  readonly #underWay: (string | number)[] = [];
  #bytes = 0;
  #isStalled = false;
  /** The daemon closed it: it takes no more. */
  #isClosed = false;
  #isCut = false;

  constructor(
    end: LineEnd,
    options: ConnectionOptions,
    members: (topic: string) => Set<MemoryLine>,
  ) {
    this.#end = end;
    const bufferedBytes = () => this.#bytes;
    this.peer = {
      send: (frames) => this.#take(frames),
      sendBytes: () => undefined,
      get bufferedBytes() {
        return bufferedBytes();
      },
      join: (topic) => void members(topic).add(this),
      leave: (topic) => void members(topic).delete(this),
      close: (code) => this.#close(code),
    };
    this.#handler = new Connection(this.peer, HOME_IDENTITY, options);
  }

  send(frame: object): void {
    if (!this.#isCut && !this.#isClosed) this.#handler.message(JSON.stringify(frame));
  }

  stall(): void {
    this.#isStalled = true;
  }

  flow(frames?: number): void {
    if (frames === undefined) this.#isStalled = false;
    this.#arrive(frames ?? Infinity);
  }

  cut(): void {
    this.#isCut = true;
  }

  /** The effects of a tick: frames reach the reader, or the daemon learns of its end. */
  isOver(): boolean {
    if (!this.#isCut && !this.#isStalled) this.#arrive(Infinity);
    if (this.#isCut) this.#handler.closed();
    return this.#isCut;
  }

  #take(frames: readonly string[]): void {
    if (this.#isClosed) return;
    for (const frame of frames) {
      this.#underWay.push(frame);
      this.#bytes += frame.length;
    }
  }

  #close(code: number): void {
    if (!this.#isClosed) this.#underWay.push(code);
    this.#isClosed = true;
  }

  #arrive(most: number): void {
    if (this.#isCut || this.#underWay.length === 0) return;
    const had = this.#bytes;
    for (const item of this.#underWay.splice(0, most)) {
      if (typeof item === 'string') {
        this.#bytes -= item.length;
        this.#end.received(JSON.parse(item) as ServerFrame, item);
      } else {
        this.#isCut = true;
        this.#end.closed(item);
      }
      // The reader disconnected because of this frame.
      if (this.#isCut) return;
    }
    if (had > 0 && this.#bytes === 0) this.#handler.drained();
  }
}
