/** A host that copies its event log: a real log and a real carrier, without a daemon. */
import { expect } from 'vitest';
import { MetaStore } from '../../../server/db/meta-store.ts';
import type { Carrier } from '../../../server/fleet/carrier.ts';
import { connectCarrier, type NatsCarrier } from '../../../server/fleet/nats/nats-carrier.ts';
import { Relay } from '../../../server/fleet/relay.ts';
import { type Clock, systemClock } from '../../../server/lib/clock.ts';
import { randomId } from '../../../server/lib/random-id.ts';
import { EventHome, fill } from '../events/event-home.ts';
import { hostIdentity } from './nats-server.ts';
import { until } from '../house/until.ts';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Waits pass twenty times as fast, so that a drill is not made of them. */
export const FAST_CLOCK: Clock = {
  ...systemClock,
  after: (delayMs, act) => systemClock.after(delayMs / 20, act),
};

/** One daemon of a host. */
export interface RelayDaemon {
  readonly carrier: NatsCarrier;
  state: 'starting' | 'serving' | 'duplicate';
  /** As kill -9 leaves it: without a word. */
  kill(): Promise<void>;
}

export class RelayHost {
  readonly name: string;
  readonly id: string;
  readonly home = new EventHome();
  readonly #clock: Clock;
  readonly #daemons = new Set<RelayDaemon>();

  constructor(name: string, clock: Clock = FAST_CLOCK) {
    this.name = name;
    this.id = hostIdentity(name).id;
    this.#clock = clock;
    this.home.open();
  }

  get log() {
    if (this.home.log === null) throw new Error('no log is open');
    return this.home.log;
  }

  /** All that the copy must have. */
  events(): string[] {
    return this.log.read(this.log.oldest - 1, 1_000_000).map(({ json }) => json);
  }

  write(count: number): void {
    fill(this.log, count);
  }

  /** What a restored backup is: the same home, another life of its log. */
  restore(): void {
    const { database } = this.home.open();
    new MetaStore(database).markRestored({ at: '2026-01-01T00:00:00.000Z', ended_runs: null });
    this.home.open();
  }

  /** `through` may stand between the relay and its carrier. */
  async daemon(
    url: string,
    through: (carrier: NatsCarrier) => Carrier = (carrier) => carrier,
    clock = this.#clock,
  ): Promise<RelayDaemon> {
    const instance = randomId();
    const identity = hostIdentity(this.name);
    const carrier = await connectCarrier({
      url,
      identity,
      instance,
      clock: this.#clock,
      log: SILENT,
    });
    const daemon: RelayDaemon = {
      carrier,
      state: 'starting',
      kill: async () => {
        relay.close();
        this.#daemons.delete(daemon);
        await carrier.close();
      },
    };
    const relay = new Relay({
      carrier: through(carrier),
      events: this.log,
      clock,
      log: SILENT,
      host: this.id,
      instance,
      alone: () => {
        daemon.state = 'serving';
        carrier.serve((_, channel) => channel.close(1000, ''));
      },
      duplicate: () => (daemon.state = 'duplicate'),
    });
    this.#daemons.add(daemon);
    return daemon;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const daemon of [...this.#daemons]) await daemon.kill();
    this.home[Symbol.dispose]();
  }
}

/** Until the copy has all events of the log; they must be equal, each once and in order. */
export async function expectCopied(reader: Carrier, host: RelayHost): Promise<void> {
  await until(
    `all events of ${host.name} are copied`,
    async () => {
      if (!reader.isConnected) return false;
      const position = await reader.position(host.id).catch(() => null);
      return position?.epoch === host.log.epoch && position.last >= host.log.head;
    },
    () => host.log.head,
  );
  const copied = await reader.replay(host.id, host.log.epoch, 0, 1_000_000);
  expect(copied).toEqual(host.events());
}
