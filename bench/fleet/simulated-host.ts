/** A host of a fleet without a daemon: the real log, relay, presence and WebSocket, and no work. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HostIdentity } from '../../server/fleet/host-identity.ts';
import { connectCarrier, type NatsCarrier } from '../../server/fleet/nats/nats-carrier.ts';
import { keepPresent } from '../../server/fleet/presence.ts';
import { Relay } from '../../server/fleet/relay.ts';
import { ChannelPeers } from '../../server/gateway/channel-peer.ts';
import { channelServer } from '../../server/gateway/serve-channels.ts';
import { systemClock as clock } from '../../server/lib/clock.ts';
import { newHold } from '../../server/people/identity.ts';
import { EVENT_SCHEMA } from '../../shared/rules/wire.ts';
import { benchEvent } from '../contenders/bench-event.ts';
import { QUIET_LOG, servedLog } from '../contenders/served-log.ts';

const STARTED_AT = new Date(0).toISOString();

export class SimulatedHost {
  readonly #identity: HostIdentity;
  readonly #home: string;
  readonly #peers = new ChannelPeers();
  readonly #log: ReturnType<typeof servedLog>;
  readonly #ends: (() => void)[] = [];
  #carrier: NatsCarrier | null = null;
  #written = 0;

  /** `root` holds its files. */
  constructor(identity: HostIdentity, root: string) {
    this.#identity = identity;
    this.#home = mkdtempSync(join(root, 'host-'));
    const { id, name } = identity;
    this.#log = servedLog(this.#home, (topic, frames) => this.#peers.publish(topic, frames), {
      id: `host:${id}`,
      name,
      role: 'viewer',
      held: newHold().signal,
    });
  }

  /** One event of one of `sessions`. */
  write(sessions: number): void {
    this.writeMany(1, sessions);
  }

  /** All in one transaction. */
  writeMany(count: number, sessions: number): void {
    this.#log.events.write((append) => {
      for (let n = 0; n < count; n += 1) {
        const { type, data } = benchEvent(this.#written);
        append({ type, session: `s${this.#written % sessions}`, data });
        this.#written += 1;
      }
    });
  }

  /** Takes part from now on; what was written before is copied first. */
  async join(url: string): Promise<void> {
    const { id, name } = this.#identity;
    const instance = `${name}-1`;
    const identity = this.#identity;
    const carrier = await connectCarrier({ url, identity, instance, clock, log: QUIET_LOG });
    this.#carrier = carrier;
    const { events, upgrade } = this.#log;
    const self = () => ({
      id,
      name,
      instance,
      version: '0',
      started_at: STARTED_AT,
      labels: [],
      epoch: events.epoch,
      head: events.head,
      event_schema: EVENT_SCHEMA,
      free_slots: 1,
      queue_length: 0,
      plan_left: null,
      plan: null,
      repositories: [],
    });
    const serve = channelServer({
      answer: async () => Promise.resolve(new Response(null, { status: 404 })),
      upgrade,
      peers: this.#peers,
    });
    const relay = new Relay({
      carrier,
      events,
      clock,
      log: QUIET_LOG,
      host: id,
      instance,
      alone: () => {
        this.#ends.push(keepPresent({ carrier, self, clock, logger: QUIET_LOG }));
        carrier.serve(serve);
      },
      duplicate: () => {
        throw new Error(`${name} is there twice`);
      },
    });
    this.#ends.push(() => relay.close());
  }

  /** Whether all that was written is in the copy. */
  async isCopied(): Promise<boolean> {
    const position = await this.#carrier?.position(this.#identity.id);
    return position?.last === this.#log.events.head;
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await this.#carrier?.close();
    this.#log.close();
    rmSync(this.#home, { recursive: true });
  }
}
