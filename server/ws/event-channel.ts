/**
 * The live end of the log for all subscribers with the same filter: the filter runs once, a tick is
 * encoded once, and published to the topic of those who have everything before it.
 */
import type { EncodedEvent, EventLog } from '../events/event-log.ts';
import { type EventFilter, eventSelector } from '../events/event-stream.ts';
import type { Peer } from '../transport/transport.ts';
import type { EventViews } from './event-views.ts';
import { type Amount, SentEvents } from './sent-events.ts';

/** Events read at once. */
export const PAGE_EVENTS = 500;

export interface ChannelMember {
  readonly peer: Peer;
  /** What may still be sent to it; when either is used up it is behind. */
  credit(): Amount;
  /** It is no longer a member, because it is behind: it has everything up to the event `after`. */
  left(after: number): void;
}

/** Events after the last page, framed. */
interface Page extends ReturnType<typeof eventFrames> {
  /** The seq up to which the log was read. */
  after: number;
  events: readonly EncodedEvent[];
}

/** A peer whose filter lets little through still gets the position of the log. */
const CURSOR_EVERY_EVENTS = 100;

export class EventChannel {
  /** Events it sent, for members that acknowledge. */
  readonly sent = new SentEvents();
  readonly filter: EventFilter;
  readonly views: EventViews | null;
  readonly #log: EventLog;
  readonly #topic: string;
  readonly #publish: (topic: string, frames: readonly string[]) => void;
  readonly #selects: ReturnType<typeof eventSelector>;
  readonly #members = new Set<ChannelMember>();
  #after = 0;
  #known = 0;
  /** What every member can be sent before their credit must be read again. */
  #credit: Amount = { events: Infinity, bytes: Infinity };
  #delivered = 0;
  #stopListening: () => void = () => undefined;

  constructor(options: {
    log: EventLog;
    filter: EventFilter;
    /** Null: its members get events alone. */
    views: EventViews | null;
    topic: string;
    publish: (topic: string, frames: readonly string[]) => void;
  }) {
    this.filter = options.filter;
    this.views = options.views;
    this.#log = options.log;
    this.#topic = options.topic;
    this.#publish = options.publish;
    this.#selects = eventSelector(options.filter);
  }

  /** Seq of the event up to which its members have been sent everything. */
  get after(): number {
    return this.#after;
  }

  get members(): number {
    return this.#members.size;
  }

  /** Events it sent, each counted once per member. */
  get delivered(): number {
    return this.#delivered;
  }

  /** The member must have everything up to the head of the log. */
  join(member: ChannelMember): void {
    // Flush to existing members first, so that everyone is at the same seq.
    if (this.#members.size > 0) this.#flush();
    if (this.#members.size === 0) this.#open();
    this.#members.add(member);
    member.peer.join(this.#topic);
    this.limit(member.credit());
  }

  leave(member: ChannelMember): void {
    if (!this.#members.delete(member)) return;
    member.peer.leave(this.#topic);
    if (this.#members.size === 0) this.#stopListening();
  }

  /** A member can be sent no more than this before its credit must be read again. */
  limit({ events, bytes }: Amount): void {
    this.#credit.events = Math.min(this.#credit.events, events);
    this.#credit.bytes = Math.min(this.#credit.bytes, bytes);
  }

  #open(): void {
    this.#after = this.#log.head;
    this.#known = this.#after;
    this.#stopListening = this.#log.listen(() => this.#flush());
  }

  #flush(): void {
    while (this.#after < this.#log.head && this.#members.size > 0) {
      if (this.#after < this.#log.oldest - 1) return this.#dismiss([...this.#members]);
      if (this.#credit.events <= 0 || this.#credit.bytes <= 0) this.#askForCredit();
      else {
        const page = this.#nextPage();
        // Each member tries alone, and reconnects when that fails too.
        if (page === null) return this.#dismiss([...this.#members]);
        this.#sendPage(page);
      }
    }
  }

  /** Null when the log, or what its events changed, cannot be read. */
  #nextPage(): Page | null {
    try {
      const page = this.#log.read(this.#after, PAGE_EVENTS);
      const after = page.at(-1)?.seq ?? this.#log.head;
      const events = page.filter(this.#selects);
      return { after, events, ...eventFrames(events, after, this.#known, this.views) };
    } catch {
      return null;
    }
  }

  #sendPage({ after, events, frames, known }: Page): void {
    this.#after = after;
    this.#known = known;
    if (frames.length === 0) return;
    this.#credit.bytes -= this.sent.pushFrames(events, frames);
    this.#credit.events -= events.length;
    this.#delivered += events.length * this.#members.size;
    this.#publish(this.#topic, frames);
  }

  #askForCredit(): void {
    this.#credit = { events: Infinity, bytes: Infinity };
    const behind: ChannelMember[] = [];
    for (const member of this.#members) {
      const credit = member.credit();
      if (credit.events <= 0 || credit.bytes <= 0) behind.push(member);
      else this.limit(credit);
    }
    this.#dismiss(behind);
  }

  #dismiss(members: readonly ChannelMember[]): void {
    const after = this.#after;
    for (const member of members) this.leave(member);
    for (const member of members) member.left(after);
  }
}

/**
 * `events` passed a filter, `cursor` is the seq up to which the log was read for them, `known` the
 * seq the peer knows of; returns one frame for each and what follows them, and the seq the peer
 * knows of then.
 */
export function eventFrames(
  events: readonly EncodedEvent[],
  cursor: number,
  known: number,
  views: EventViews | null,
): { frames: string[]; known: number } {
  const frames = events.map(({ json }) => `{"type":"event","event":${json}}`);
  const changed = views?.after(events) ?? null;
  if (changed !== null) frames.push(changed);
  const newest = events.at(-1)?.seq ?? known;
  if (cursor - newest < CURSOR_EVERY_EVENTS) return { frames, known: newest };
  frames.push(`{"type":"cursor","seq":${cursor}}`);
  return { frames, known: cursor };
}
