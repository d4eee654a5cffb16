/**
 * Brings one peer the events it asked for, in order, each once. A peer that does not take them is
 * paused, and cut when it stays away: it resumes from its cursor. Nothing is ever dropped.
 */
import type { Cursor } from '../../shared/cursor.ts';
import { CloseCode } from '../../shared/protocol.ts';
import type { EventLog } from '../events/event-log.ts';
import {
  type EventFilter,
  eventStream,
  resolveCursor,
  type StreamItem,
} from '../events/event-stream.ts';
import type { Clock } from '../lib/clock.ts';
import type { Peer } from '../transport/transport.ts';

/** What may be under way to a peer before it is paused. */
const MAX_UNACKED_EVENTS = 2_000;
const MAX_UNACKED_BYTES = 1024 * 1024;
const PAUSED_LIMIT_MS = 30_000;
/** A peer whose filter lets little through still hears where the log stands. */
const CURSOR_EVERY_EVENTS = 100;

export class Subscription {
  readonly #peer: Peer;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  /** Sent and not acknowledged, oldest first; kept only once the peer acknowledges at all. */
  #unacked: { seq: number; bytes: number }[] = [];
  #unackedBytes = 0;
  #acks = false;
  #toldCursor = 0;
  #wake: () => void = () => undefined;

  constructor(
    peer: Peer,
    log: EventLog,
    clock: Clock,
    options: { id: number; cursor: Cursor; filter: EventFilter },
  ) {
    this.#peer = peer;
    this.#clock = clock;
    const start = resolveCursor(log, options.cursor);
    this.#toldCursor = 'after' in start ? start.after : log.head;
    const items = eventStream(log, options.cursor, options.filter, this.#ended.signal);
    // The log cannot be read: the peer comes back and resumes where it was.
    this.#run(options.id, items).catch(() => peer.close(CloseCode.restart, 'restart'));
  }

  /** The peer has seen everything up to `seq`. From the first call on, its word counts. */
  ack(seq: number): void {
    this.#acks = true;
    const kept = this.#unacked.findIndex((sent) => sent.seq > seq);
    const seen = this.#unacked.splice(0, kept === -1 ? this.#unacked.length : kept);
    this.#unackedBytes -= seen.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#wake();
  }

  drained(): void {
    this.#wake();
  }

  end(): void {
    this.#ended.abort();
    this.#wake();
  }

  async #run(id: number, items: AsyncGenerator<StreamItem, void, void>): Promise<void> {
    for await (const item of items) {
      if (this.#ended.signal.aborted) return;
      if (item.kind === 'reset') {
        const { reason, oldest, head } = item;
        this.#peer.send([JSON.stringify({ type: 'reset', id, reason, oldest, head })]);
      } else this.#send(item);
      if (this.#isBehind() && !(await this.#caughtUp())) return;
    }
  }

  #send({ events, cursor }: Extract<StreamItem, { kind: 'events' }>): void {
    const frames = events.map(({ seq, json }) => {
      const frame = `{"type":"event","event":${json}}`;
      if (this.#acks) this.#count(seq, frame.length);
      return frame;
    });
    const newest = events.at(-1)?.seq;
    if (newest !== undefined) this.#toldCursor = newest;
    if (cursor - this.#toldCursor >= CURSOR_EVERY_EVENTS) {
      frames.push(`{"type":"cursor","seq":${cursor}}`);
      this.#toldCursor = cursor;
    }
    if (frames.length > 0) this.#peer.send(frames);
  }

  #count(seq: number, bytes: number): void {
    this.#unacked.push({ seq, bytes });
    this.#unackedBytes += bytes;
  }

  #isBehind(): boolean {
    return (
      this.#peer.bufferedBytes >= MAX_UNACKED_BYTES ||
      this.#unackedBytes >= MAX_UNACKED_BYTES ||
      this.#unacked.length >= MAX_UNACKED_EVENTS
    );
  }

  /** Waits until the peer has caught up; cuts it when it does not within the limit. */
  async #caughtUp(): Promise<boolean> {
    const { promise, late } = this.#lateness();
    while (this.#isBehind() && !this.#ended.signal.aborted) {
      const woken = new Promise<'woken'>((resolve) => (this.#wake = () => resolve('woken')));
      if ((await Promise.race([woken, promise])) === 'woken') continue;
      this.#peer.close(CloseCode.slowConsumer, 'slow_consumer');
      this.#ended.abort();
    }
    late.cancel();
    return !this.#ended.signal.aborted;
  }

  #lateness() {
    let resolve: (word: 'late') => void = () => undefined;
    const promise = new Promise<'late'>((settle) => (resolve = settle));
    return { promise, late: this.#clock.after(PAUSED_LIMIT_MS, () => resolve('late')) };
  }
}
