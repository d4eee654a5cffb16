/** Hosts of a fleet as carriers, around one real NATS server, without daemons. */
import type { Channel, ChannelHead, PeopleListener } from '../../../server/fleet/carrier.ts';
import type { HostIdentity } from '../../../server/fleet/host-identity.ts';
import { connectCarrier, type NatsCarrier } from '../../../server/fleet/nats/nats-carrier.ts';
import { type Clock, systemClock } from '../../../server/lib/clock.ts';
import { EVENT_SCHEMA } from '../../../shared/rules/wire.ts';
import type { HostFacts } from '../../../shared/schema/fleet.ts';
import { hostIdentity, NatsServer } from './nats-server.ts';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

export class FleetRig {
  readonly server: NatsServer;
  readonly #carriers: NatsCarrier[] = [];

  private constructor(server: NatsServer) {
    this.server = server;
  }

  /** `users` as for `NatsServer`. */
  static async start(users?: string): Promise<FleetRig> {
    return new FleetRig(await NatsServer.start(users));
  }

  async host(
    name: string,
    options: { instance?: string; clock?: Clock; url?: string; identity?: HostIdentity } = {},
  ): Promise<NatsCarrier> {
    const carrier = await connectCarrier({
      url: options.url ?? this.server.url,
      identity: options.identity ?? hostIdentity(name),
      instance: options.instance ?? `${name}-1`,
      clock: options.clock ?? systemClock,
      log: SILENT,
    });
    this.#carriers.push(carrier);
    return carrier;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const carrier of this.#carriers) await carrier.close();
    await this.server[Symbol.asyncDispose]();
  }
}

/** The id of the host of that name. */
export function idOf(name: string): string {
  return hostIdentity(name).id;
}

export function factsOf(name: string, change: Partial<HostFacts> = {}): HostFacts {
  return {
    id: idOf(name),
    name,
    instance: `${name}-1`,
    version: '1.0.0',
    started_at: '2026-01-01T00:00:00.000Z',
    labels: [],
    epoch: 'e1',
    head: 0,
    free_slots: 1,
    event_schema: EVENT_SCHEMA,
    queue_length: 0,
    plan_left: null,
    plan: null,
    repositories: [],
    ...change,
  };
}

/** Hears of people, and of nothing else in a bucket. */
export function people(person: (...heard: Parameters<PeopleListener['person']>) => unknown) {
  const nothing = () => undefined;
  return { began: nothing, person, complete: nothing } satisfies PeopleListener;
}

export const SOCKET: ChannelHead = {
  kind: 'socket',
  method: 'GET',
  target: '/ws',
  headers: [['authorization', 'Bearer x']],
  bodyBytes: 0,
};

export interface Recorded {
  channel: Channel;
  texts: string[];
  bytes: Uint8Array[];
  drained: number;
  closed: { code: number; reason: string } | null;
}

/** Handles a channel and keeps what came. */
export function record(channel: Channel): Recorded {
  const recorded: Recorded = { channel, texts: [], bytes: [], drained: 0, closed: null };
  channel.handle({
    text: (text) => void recorded.texts.push(text),
    bytes: (data) => void recorded.bytes.push(data),
    drained: () => void (recorded.drained += 1),
    closed: (code, reason) => (recorded.closed = { code, reason }),
  });
  return recorded;
}
