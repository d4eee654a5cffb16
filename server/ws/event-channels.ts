/** The channels by filter, and all subscriptions. */
import type { EventLog } from '../events/event-log.ts';
import type { Role } from '../../shared/schema/people/role.ts';
import type { EventFilter } from '../events/event-stream.ts';
import { EventChannel } from './event-channel.ts';
import { EventViews, type ViewSources } from './event-views.ts';
import type { Amount } from './sent-events.ts';

const MAX_UNACKED: Readonly<Amount> = { events: 2_000, bytes: 1024 * 1024 };
/** Beyond this, channels without members are removed. */
const KEPT_CHANNELS = 64;

interface ChannelOptions {
  maxUnacked?: Readonly<Amount>;
  /** Null: there are none, at an edge without a daemon. */
  views?: ViewSources | null;
}

export type SubscriptionState = 'replaying' | 'live' | 'paused' | 'ended';

/** One peer's way through the log. */
interface Subscriber {
  readonly state: SubscriptionState;
}

export interface ChannelStatus {
  subscriptions: Record<SubscriptionState, number>;
  channels: number;
  /** Events sent over WebSocket since the daemon started, each once per subscriber. */
  delivered: number;
}

export class EventChannels {
  readonly log: EventLog;
  /** What may be under way to one peer before it is paused. */
  readonly maxUnacked: Readonly<Amount>;
  readonly #publish: (topic: string, frames: readonly string[]) => void;
  readonly #views: ViewSources | null;
  readonly #channels = new Map<string, EventChannel>();
  readonly #subscriptions = new Set<Subscriber>();
  /** Sent in replays, and by removed channels. */
  #delivered = 0;

  constructor(
    log: EventLog,
    publish: (topic: string, frames: readonly string[]) => void,
    { maxUnacked = MAX_UNACKED, views = null }: ChannelOptions = {},
  ) {
    this.log = log;
    this.maxUnacked = maxUnacked;
    this.#publish = publish;
    this.#views = views;
  }

  /** Whether subscribers can get views. */
  get hasViews(): boolean {
    return this.#views !== null;
  }

  /**
   * The one channel for this filter, regardless of order and duplicates in it. With views as this
   * role sees them; null: without.
   */
  get({ types, sessions, subjects = null }: EventFilter, role: Role | null): EventChannel {
    const filter = {
      types: unique(types),
      sessions: sessions && unique(sessions),
      subjects: subjects && unique(subjects),
    };
    const key = JSON.stringify([filter.types, filter.sessions, filter.subjects, role]);
    const found = this.#channels.get(key);
    if (found !== undefined) return found;
    if (this.#channels.size >= KEPT_CHANNELS) this.#releaseAtEnd();
    const { log } = this;
    const topic = `events ${key}`;
    const views = role === null || this.#views === null ? null : new EventViews(this.#views, role);
    const channel = new EventChannel({ log, filter, views, topic, publish: this.#publish });
    this.#channels.set(key, channel);
    return channel;
  }

  add(subscription: Subscriber): void {
    this.#subscriptions.add(subscription);
  }

  remove(subscription: Subscriber): void {
    this.#subscriptions.delete(subscription);
  }

  replayed(events: number): void {
    this.#delivered += events;
  }

  stats(): ChannelStatus {
    const subscriptions = { replaying: 0, live: 0, paused: 0, ended: 0 };
    for (const { state } of this.#subscriptions) subscriptions[state] += 1;
    const channels = [...this.#channels.values()];
    return {
      subscriptions,
      channels: channels.filter(({ members }) => members > 0).length,
      delivered: channels.reduce((sum, { delivered }) => sum + delivered, this.#delivered),
    };
  }

  #releaseAtEnd(): void {
    for (const [key, channel] of this.#channels) {
      if (channel.members > 0) continue;
      this.#delivered += channel.delivered;
      this.#channels.delete(key);
    }
  }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
