/**
 * Brings one peer the requested events, in order, each once: what it missed from the log, then live
 * as a member of its channel. A peer that does not take them leaves the channel, and is cut when it
 * stays behind: it resumes from its cursor. Nothing is ever dropped.
 */
import type { Cursor, ResetReason } from '../../shared/schema/events/cursor.ts';
import type { Role } from '../../shared/schema/people/role.ts';
import { CloseCode } from '../../shared/rules/wire.ts';
import { type EventFilter, eventSelector, resolveCursor } from '../events/event-stream.ts';
import type { Clock } from '../lib/clock.ts';
import type { Peer } from '../transport/transport.ts';
import {
  type ChannelMember,
  type EventChannel,
  eventFrames,
  PAGE_EVENTS,
} from './event-channel.ts';
import type { EventChannels, SubscriptionState } from './event-channels.ts';
import { type Amount, NOTHING, SentEvents } from './sent-events.ts';

const PAUSED_LIMIT_MS = 30_000;

export interface SubscriptionRequest {
  id: number;
  cursor: Cursor;
  filter: EventFilter;
  /** The role that views are for; null: without views. */
  viewsFor?: Role | null;
}

export class Subscription implements ChannelMember {
  readonly peer: Peer;
  readonly #channels: EventChannels;
  readonly #clock: Clock;
  readonly #id: number;
  /** That of its channel, shared by all subscribers with the same filter. */
  readonly #filter: EventFilter;
  readonly #viewsFor: Role | null;
  #state: SubscriptionState = 'replaying';
  /** Seq of the event up to which the peer was sent everything; while live, its channel knows. */
  #after: number;
  #known: number;
  /** Null until it is live for the first time. */
  #channel: EventChannel | null = null;
  /** From the first acknowledgement on, they count; null: there was none. */
  #acked: number | null = null;
  /** Sent outside the channel and not acknowledged. */
  #unacked: SentEvents | null = null;
  #wake = noop;

  constructor(peer: Peer, channels: EventChannels, clock: Clock, request: SubscriptionRequest) {
    this.peer = peer;
    this.#channels = channels;
    this.#clock = clock;
    this.#id = request.id;
    this.#viewsFor = request.viewsFor ?? null;
    this.#filter = channels.get(request.filter, this.#viewsFor).filter;
    const start = resolveCursor(channels.log, request.cursor);
    this.#after = 'after' in start ? start.after : channels.log.head;
    this.#known = this.#after;
    channels.add(this);
    if ('reset' in start) this.#reset(start.reset);
    this.#follow();
  }

  get state(): SubscriptionState {
    return this.#state;
  }

  /** The peer has seen everything up to `seq`. From the first call on, acknowledgements count. */
  ack(seq: number): void {
    const sent = this.#live?.after ?? this.#after;
    // What was sent before the first acknowledgement is not held against the peer.
    this.#acked = this.#acked === null ? sent : Math.max(this.#acked, Math.min(seq, sent));
    this.#unacked?.forget(this.#acked);
    this.#live?.limit(this.credit());
    this.#wake();
  }

  drained(): void {
    this.#wake();
  }

  end(): void {
    this.#live?.leave(this);
    this.#state = 'ended';
    this.#channels.remove(this);
    this.#wake();
  }

  credit(): Amount {
    const { events, bytes } = this.#underWay();
    const buffered = Math.max(this.peer.bufferedBytes, bytes);
    const { maxUnacked } = this.#channels;
    return { events: maxUnacked.events - events, bytes: maxUnacked.bytes - buffered };
  }

  left(after: number): void {
    if (this.#acked !== null && this.#live !== null) {
      this.#unacked ??= new SentEvents();
      this.#unacked.take(this.#live.sent, Math.max(this.#acked, this.#after));
    }
    this.#after = after;
    this.#known = after;
    this.#follow();
  }

  /** What was sent and not acknowledged, here and, since it is live, by the channel. */
  #underWay(): Amount {
    if (this.#acked === null) return NOTHING;
    const own = this.#unacked?.since(this.#acked) ?? NOTHING;
    const shared = this.#live?.sent.since(Math.max(this.#acked, this.#after)) ?? NOTHING;
    return { events: own.events + shared.events, bytes: own.bytes + shared.bytes };
  }

  /** Its channel while it is a member. */
  get #live(): EventChannel | null {
    return this.#state === 'live' ? this.#channel : null;
  }

  get #source(): EventChannel {
    return this.#channels.get(this.#filter, this.#viewsFor);
  }

  #follow(): void {
    this.#state = 'replaying';
    // The log cannot be read: the peer reconnects and resumes where it was.
    this.#replay().catch(() => this.peer.close(CloseCode.restart, 'restart'));
  }

  /** Sends what the log has after the cursor, as fast as the peer takes it; then goes live. */
  async #replay(): Promise<void> {
    const { log } = this.#channels;
    const selects = eventSelector(this.#filter);
    for (;;) {
      if (this.#isBehind()) await this.#caughtUp();
      if (this.#is('ended')) return;
      if (this.#after < log.oldest - 1) {
        this.#after = log.head;
        this.#known = log.head;
        this.#reset('expired');
      } else if (this.#after < log.head) {
        const page = log.read(this.#after, PAGE_EVENTS);
        this.#after = page.at(-1)?.seq ?? log.head;
        this.#send(page.filter(selects));
        await othersFirst();
        if (this.#is('ended')) return;
      } else break;
    }
    this.#state = 'live';
    this.#channel = this.#source;
    this.#channel.join(this);
  }

  #send(events: Parameters<typeof eventFrames>[0]): void {
    const { frames, known } = eventFrames(events, this.#after, this.#known, this.#source.views);
    this.#known = known;
    if (frames.length === 0) return;
    if (this.#acked !== null) {
      this.#unacked ??= new SentEvents();
      this.#unacked.pushFrames(events, frames);
    }
    this.#channels.replayed(events.length);
    this.peer.send(frames);
  }

  #reset(reason: ResetReason): void {
    const { oldest, head } = this.#channels.log;
    this.peer.send([JSON.stringify({ type: 'reset', id: this.#id, reason, oldest, head })]);
  }

  #isBehind(): boolean {
    const { events, bytes } = this.credit();
    return events <= 0 || bytes <= 0;
  }

  /**
   * Waits until the peer has caught up or disconnected; cuts it when it does not within the limit.
   */
  async #caughtUp(): Promise<void> {
    this.#state = 'paused';
    const { promise, late } = this.#lateness();
    while (this.#is('paused') && this.#isBehind()) {
      const woken = new Promise<'woken'>((resolve) => (this.#wake = () => resolve('woken')));
      if ((await Promise.race([woken, promise])) === 'woken') continue;
      this.peer.close(CloseCode.slowConsumer, 'slow_consumer');
      this.end();
    }
    late.cancel();
    if (this.#is('paused')) this.#state = 'replaying';
  }

  /** Read again, because the state changes during an await. */
  #is(state: SubscriptionState): boolean {
    return this.#state === state;
  }

  #lateness() {
    let resolve: (word: 'late') => void = () => undefined;
    const promise = new Promise<'late'>((settle) => (resolve = settle));
    return { promise, late: this.#clock.after(PAUSED_LIMIT_MS, () => resolve('late')) };
  }
}

function noop(): void {
  // It is not paused.
}

/** Lets other peers' events go first, so that a long replay does not delay them. */
async function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
