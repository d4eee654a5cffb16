/**
 * What carries a fleet, within one process: every host gets its own end, and a test cuts, holds and
 * heals them. Delivery is asynchronous and in order, as on a network.
 */
import type {
  Carrier,
  Channel,
  ChannelHead,
  Claim,
  EventBatch,
  PeopleListener,
  RelayPosition,
} from '../../../server/fleet/carrier.ts';
import { AppError } from '../../../server/lib/app-error.ts';
import { type Clock, systemClock } from '../../../server/lib/clock.ts';
import type { HostFacts } from '../../../shared/schema/fleet.ts';
import { channelBetween, type MemoryChannel } from '../events/memory-channel.ts';

export class MemoryFleet {
  readonly clock: Clock;
  readonly carriers = new Map<string, MemoryCarrier>();
  /** Two daemons may have one host id. */
  readonly all = new Set<MemoryCarrier>();
  readonly logs = new Map<string, { position: RelayPosition; events: string[] }>();
  readonly held = new Map<string, Claim>();
  readonly presence = new Map<string, { facts: HostFacts; atMs: number }>();
  readonly copies = new Map<string, { answer: Uint8Array; atMs: number }>();
  readonly people = new Map<string, { record: Uint8Array; revision: number }>();
  #revision = 0;

  constructor(clock: Clock = systemClock) {
    this.clock = clock;
  }

  /** The end of a host; the newest one of a host id is cut, held and healed. */
  join(host: string): MemoryCarrier {
    const carrier = new MemoryCarrier(this, host);
    this.carriers.set(host, carrier);
    this.all.add(carrier);
    return carrier;
  }

  /** The host loses its connection, and notices. */
  cut(host: string): void {
    this.carriers.get(host)?.setConnected(false);
  }

  /** What is sent to the host waits; no one notices. */
  hold(host: string): void {
    this.carriers.get(host)?.setHeld(true);
  }

  heal(host: string): void {
    this.carriers.get(host)?.setHeld(false);
    this.carriers.get(host)?.setConnected(true);
  }

  /** The host was taken out of the fleet. */
  remove(host: string): void {
    this.presence.delete(host);
    for (const carrier of this.all) {
      for (const removed of [...carrier.removalListeners]) removed(host);
    }
  }

  nextRevision(): number {
    this.#revision += 1;
    return this.#revision;
  }
}

export class MemoryCarrier implements Carrier {
  isConnected = true;
  isHeld = false;
  /** Of all its channels together. */
  sentBytes = 0;
  accept: ((head: ChannelHead, channel: Channel) => void) | null = null;
  readonly channels = new Set<MemoryChannel>();
  readonly presenceListeners = new Set<(facts: HostFacts, agoMs: number) => void>();
  readonly removalListeners = new Set<(host: string) => void>();
  readonly peopleListeners = new Set<PeopleListener>();
  readonly #host: string;
  readonly #fleet: MemoryFleet;
  readonly #connection = new Set<(isConnected: boolean) => void>();
  /** Requests that wait while it is held. */
  readonly #waiting: (() => void)[] = [];

  constructor(fleet: MemoryFleet, host: string) {
    this.#fleet = fleet;
    this.#host = host;
  }

  setConnected(isConnected: boolean): void {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    if (!isConnected) for (const channel of [...this.channels]) channel.cut();
    for (const listener of [...this.#connection]) listener(isConnected);
    if (!isConnected) return;
    // What was said meanwhile.
    for (const { facts, atMs } of this.#fleet.presence.values()) this.#hear(facts, atMs);
    for (const listener of this.peopleListeners) this.#readPeople(listener);
  }

  setHeld(isHeld: boolean): void {
    this.isHeld = isHeld;
    if (isHeld) return;
    for (const arrival of this.#waiting.splice(0)) this.#arrives(arrival);
    for (const channel of this.channels) channel.deliverSoon();
  }

  onConnection(listener: (isConnected: boolean) => void): () => void {
    this.#connection.add(listener);
    return () => this.#connection.delete(listener);
  }

  async position(host: string): Promise<RelayPosition | null> {
    this.#requireConnection();
    return Promise.resolve(this.#fleet.logs.get(host)?.position ?? null);
  }

  async append(batch: EventBatch, after: RelayPosition | null): Promise<RelayPosition | 'moved'> {
    this.#requireConnection();
    const { logs } = this.#fleet;
    const copy = logs.get(this.#host);
    if ((copy?.position.revision ?? 0) !== (after?.revision ?? 0)) return 'moved';
    const { epoch, instance, last } = batch;
    const position = { epoch, instance, last, revision: this.#fleet.nextRevision() };
    const before = copy?.position.epoch === epoch ? copy.events : [];
    logs.set(this.#host, { position, events: [...before, ...batch.events] });
    return Promise.resolve(position);
  }

  async replay(host: string, epoch: string, after: number, limit: number): Promise<string[]> {
    this.#requireConnection();
    const copy = this.#fleet.logs.get(host);
    if (copy?.position.epoch !== epoch) return [];
    const events = copy.events.filter((json) => (JSON.parse(json) as { seq: number }).seq > after);
    return Promise.resolve(events.slice(0, limit));
  }

  async request(host: string, head: ChannelHead): Promise<Channel> {
    const other = [...this.#fleet.all].find(
      (each) => each !== this && each.#host === host && each.isConnected && each.accept !== null,
    );
    const accept = other?.accept ?? null;
    if (!this.isConnected || other === undefined || accept === null) {
      throw new AppError('host_unreachable', 'that host does not serve; try again later');
    }
    const [here, there] = channelBetween(this, host, other, this.#host);
    // As it travels: nothing is shared between two hosts.
    const sent = JSON.parse(JSON.stringify(head)) as ChannelHead;
    other.#arrives(() => accept(sent, there));
    return Promise.resolve(here);
  }

  serve(accept: (head: ChannelHead, channel: Channel) => void): void {
    this.accept = accept;
  }

  async claim(key: string, work: string): Promise<Claim | null> {
    this.#requireConnection();
    const known = this.#fleet.held.get(key);
    if (known !== undefined) return known.host === this.#host ? known : null;
    const claim = { key, host: this.#host, work, revision: this.#fleet.nextRevision() };
    this.#fleet.held.set(key, claim);
    return Promise.resolve(claim);
  }

  async claims(): Promise<Claim[]> {
    this.#requireConnection();
    return Promise.resolve([...this.#fleet.held.values()]);
  }

  async release({ key, revision }: Claim): Promise<boolean> {
    this.#requireConnection();
    if (this.#fleet.held.get(key)?.revision !== revision) return false;
    return Promise.resolve(this.#fleet.held.delete(key));
  }

  async present(facts: HostFacts): Promise<void> {
    this.#requireConnection();
    this.#fleet.presence.set(facts.id, { facts, atMs: this.#fleet.clock.monotonic() });
    for (const carrier of this.#fleet.all) {
      if (carrier.isConnected && !carrier.isHeld) carrier.#pass(facts, 0);
    }
    return Promise.resolve();
  }

  onPresence(
    listener: (facts: HostFacts, agoMs: number) => void,
    removed: (host: string) => void = () => undefined,
  ): () => void {
    this.presenceListeners.add(listener);
    this.removalListeners.add(removed);
    for (const { facts, atMs } of this.#fleet.presence.values()) {
      listener(facts, Math.max(1, this.#fleet.clock.monotonic() - atMs));
    }
    return () => {
      this.presenceListeners.delete(listener);
      this.removalListeners.delete(removed);
    };
  }

  async saveCopy(target: string, answer: Uint8Array): Promise<void> {
    this.#requireConnection();
    const atMs = this.#fleet.clock.now();
    this.#fleet.copies.set(`${this.#host} ${target}`, { answer: new Uint8Array(answer), atMs });
    return Promise.resolve();
  }

  async copy(host: string, target: string) {
    this.#requireConnection();
    return Promise.resolve(this.#fleet.copies.get(`${host} ${target}`) ?? null);
  }

  async savePerson(id: string, record: Uint8Array, after: number): Promise<number | 'moved'> {
    this.#requireConnection();
    const { people, all } = this.#fleet;
    if ((people.get(id)?.revision ?? 0) !== after) return 'moved';
    const revision = this.#fleet.nextRevision();
    people.set(id, { record, revision });
    for (const carrier of all) {
      if (!carrier.isConnected) continue;
      for (const listener of carrier.peopleListeners) listener.person(id, record, revision);
    }
    return Promise.resolve(revision);
  }

  onPeople(listener: PeopleListener): () => void {
    this.peopleListeners.add(listener);
    this.#readPeople(listener);
    return () => this.peopleListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.accept = null;
    this.#fleet.all.delete(this);
    this.presenceListeners.clear();
    this.removalListeners.clear();
    this.peopleListeners.clear();
    this.#connection.clear();
    for (const channel of [...this.channels]) channel.cut();
    if (this.#fleet.carriers.get(this.#host) === this) this.#fleet.carriers.delete(this.#host);
    return Promise.resolve();
  }

  #readPeople(listener: PeopleListener): void {
    listener.began();
    for (const [id, { record, revision }] of this.#fleet.people) {
      listener.person(id, record, revision);
    }
    listener.complete();
  }

  #arrives(arrival: () => void): void {
    if (this.isHeld) this.#waiting.push(arrival);
    else setImmediate(arrival);
  }

  #hear(facts: HostFacts, atMs: number): void {
    this.#pass(facts, Math.max(1, this.#fleet.clock.monotonic() - atMs));
  }

  #pass(facts: HostFacts, agoMs: number): void {
    for (const listener of [...this.presenceListeners]) listener(facts, agoMs);
  }

  #requireConnection(): void {
    if (!this.isConnected) throw new AppError('host_unreachable', 'not connected; try again later');
  }
}
