/** A host that worked, was copied and has left: others show what is known of it. */
import { connectCarrier, type NatsCarrier } from '../../../server/fleet/nats/nats-carrier.ts';
import { connectToServer } from '../../../server/fleet/nats/connect-to-server.ts';
import { BUCKETS } from '../../../server/fleet/nats/subjects.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import type { HostFacts } from '../../../shared/schema/fleet.ts';
import { until } from '../house/until.ts';
import type { Side, VersionFleet } from './version-fleet.ts';
import type { VersionHost } from './version-host.ts';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

export class GoneHost {
  readonly host: VersionHost;
  /** How its log must begin for others. */
  readonly events: string[] = [];
  /** How it must end. */
  later: string | null = null;
  readonly #url: string;

  private constructor(host: VersionHost, url: string) {
    this.host = host;
    this.#url = url;
  }

  /**
   * Its session `left` and all its events are copied, and its daemon has stopped. `reader`: a host that
   * joined and does not run.
   */
  static async make(
    fleet: VersionFleet,
    { name, side, reader }: { name: string; side: Side; reader: VersionHost },
  ): Promise<GoneHost> {
    const host = fleet.host(name, side);
    await host.start();
    await host.admin.openSession('left', host.world.taskDir('left'));
    await host.stop();
    await fleet.join(host);
    await host.start();
    await fleet.isSeen(host, 'reachable');
    const gone = new GoneHost(host, fleet.url);
    await gone.#isCopied(reader);
    await host.stop();
    return gone;
  }

  async #isCopied(reader: VersionHost): Promise<void> {
    const { id } = this.host.identity;
    const { body } = await this.host.admin.get('/api/events?after=0&limit=1000');
    const { events, head } = body as { events: object[]; head: number };
    this.events.push(...events.map((event) => JSON.stringify(event)));
    const carrier = await this.#carrier(reader);
    try {
      await until('its log and lists are copied', async () => {
        const copy = await carrier.copy(id, '/api/sessions');
        const last = (await carrier.position(id))?.last ?? 0;
        return last >= head && Buffer.from(copy?.answer ?? []).includes('"left"');
      });
    } finally {
      await carrier.close();
    }
  }

  /** As if it had been of a later version: with an event, and facts of itself, that no one knows. */
  async wasLater(): Promise<void> {
    const { identity } = this.host;
    const carrier = await this.#carrier(this.host);
    const facts = await new Promise<HostFacts>((resolve) => {
      carrier.onPresence((heard) => {
        if (heard.id === identity.id) resolve(heard);
      });
    });
    const position = await carrier.position(identity.id);
    if (position === null) throw new Error('nothing was copied');
    const seq = position.last + 1;
    const subject = { kind: 'later', id: 'x' };
    const at = new Date(0).toISOString();
    const event = { seq, at, type: 'later.thing', subject, data: { more: [1] }, also: true };
    const { epoch, instance } = position;
    const later = JSON.stringify(event);
    await carrier.append({ epoch, instance, first: seq, last: seq, events: [later] }, position);
    this.later = later;
    await carrier.close();
    const { seed, ca, id: host } = identity;
    const connection = await connectToServer(this.#url, { seed, ca, host });
    const said = JSON.stringify({ ...facts, later: { more: true } });
    connection.publish(`$KV.${BUCKETS.hosts}.${host}`, said);
    await connection.flush();
    await connection.close();
  }

  async #carrier({ identity }: VersionHost): Promise<NatsCarrier> {
    const instance = `${identity.name}-test`;
    const connection = { url: this.#url, identity, instance };
    return connectCarrier({ ...connection, clock: systemClock, log: SILENT });
  }
}
