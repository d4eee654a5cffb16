/**
 * The hosts of the fleet as this one knows them: who says that it is there, who has been silent for
 * too long, and since when. Durations are measured here; the clocks of other hosts do not matter.
 */
import type { FleetView, Host, HostFacts } from '../../shared/schema/fleet.ts';
import type { EventLog } from '../events/event-log.ts';
import { type Clock, type Timer, toIso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { type Carrier, UNREACHABLE_AFTER_MS } from './carrier.ts';
import { storeFleetEvent } from './fleet-event.ts';

export interface KnownHost {
  facts: HostFacts;
  /** When it was last heard of: by the monotonic clock, and as a time for people. */
  heardMs: number;
  heardAt: string;
  isReachable: boolean;
}

export class FleetHosts {
  readonly #carrier: Carrier;
  readonly #self: () => HostFacts;
  readonly #clock: Clock;
  readonly #log: EventLog;
  readonly #logger: Log;
  readonly #hosts = new Map<string, KnownHost>();
  readonly #twin: () => void;
  readonly #heard: (hosts: readonly KnownHost[]) => void;
  readonly #stopListening: () => void;
  #timer: Timer | null = null;

  constructor(options: {
    carrier: Carrier;
    /** What this host says of itself. */
    self: () => HostFacts;
    clock: Clock;
    log: EventLog;
    logger: Log;
    /** Another daemon says that it is this host, and was there before. */
    twin: () => void;
    /** What is known of the other hosts has changed. */
    heard?: (hosts: readonly KnownHost[]) => void;
  }) {
    this.#carrier = options.carrier;
    this.#self = options.self;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#logger = options.logger;
    this.#twin = options.twin;
    this.#heard = options.heard ?? (() => undefined);
    this.#stopListening = this.#carrier.onPresence(
      (facts, agoMs) => this.#hear(facts, agoMs),
      (id) => this.#forget(id),
    );
    this.#wait();
  }

  /** The other host with that name; the one heard of last when two claim it. */
  byName(name: string): KnownHost | null {
    const named = [...this.#hosts.values()].filter(({ facts }) => facts.name === name);
    return named.sort((a, b) => b.heardMs - a.heardMs)[0] ?? null;
  }

  /** The name of another host, or its id while nothing was heard of it. */
  nameOf(id: string): string {
    return this.#hosts.get(id)?.facts.name ?? id;
  }

  /** The other hosts. */
  list(): KnownHost[] {
    return [...this.#hosts.values()];
  }

  view(problem: FleetView['problem']): FleetView {
    const self: Host = { ...hostOf(this.#self()), state: 'here', last_seen_at: null };
    const others = [...this.#hosts.values()].map(({ facts, isReachable, heardAt }): Host => {
      // Without a connection none can be reached, long before their silence is noticed.
      const isThere = isReachable && problem === null;
      return {
        ...hostOf(facts),
        state: isThere ? 'reachable' : 'unreachable',
        last_seen_at: isThere ? null : heardAt,
      };
    });
    others.sort((a, b) => a.name.localeCompare(b.name, 'en'));
    return { self, hosts: [self, ...others], problem };
  }

  dispose(): void {
    this.#stopListening();
    this.#timer?.cancel();
  }

  #hear(facts: HostFacts, agoMs: number): void {
    const self = this.#self();
    if (facts.id === self.id) {
      const isOther = facts.instance !== self.instance && agoMs === 0;
      if (isOther && facts.started_at < self.started_at) this.#twin();
      return;
    }
    const before = this.#hosts.get(facts.id);
    const heardMs = this.#clock.monotonic() - agoMs;
    // A copy of what was heard before.
    if (before !== undefined && before.heardMs > heardMs) return;
    const isReachable = agoMs < UNREACHABLE_AFTER_MS;
    const heardAt = toIso(this.#clock.now() - agoMs);
    this.#hosts.set(facts.id, { facts, heardMs, heardAt, isReachable });
    // What was known when this daemon started is no news.
    const isNews = before === undefined ? agoMs === 0 : !before.isReachable;
    if (isReachable && isNews) {
      const { id: host, name } = facts;
      this.#record({ type: 'fleet.host_found', data: { host, name } });
    }
    this.#heard(this.list());
    this.#wait();
  }

  /** An admin took it out of the fleet. */
  #forget(id: string): void {
    this.#hosts.delete(id);
    this.#heard(this.list());
    this.#wait();
  }

  /** One timer, for the host that has been silent longest. */
  #wait(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const reachable = [...this.#hosts.values()].filter(({ isReachable }) => isReachable);
    if (reachable.length === 0) return;
    const oldest = Math.min(...reachable.map(({ heardMs }) => heardMs));
    const inMs = Math.max(0, oldest + UNREACHABLE_AFTER_MS - this.#clock.monotonic());
    this.#timer = this.#clock.after(inMs, () => {
      this.#judge();
      this.#wait();
    });
  }

  #judge(): void {
    const now = this.#clock.monotonic();
    for (const host of this.#hosts.values()) {
      if (!host.isReachable || now - host.heardMs < UNREACHABLE_AFTER_MS) continue;
      host.isReachable = false;
      const { id, name } = host.facts;
      this.#record({ type: 'fleet.host_lost', data: { host: id, name, since: host.heardAt } });
    }
    this.#heard(this.list());
  }

  #record(draft: Parameters<typeof storeFleetEvent>[2]): void {
    storeFleetEvent(this.#log, this.#logger, draft);
  }
}

function hostOf(facts: HostFacts) {
  const { instance: _, epoch: __, head: ___, repositories: ____, plan: _____, ...shown } = facts;
  return shown;
}
