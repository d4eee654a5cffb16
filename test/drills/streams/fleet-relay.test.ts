/** Logs that are copied while server, connections, daemons and the copy itself fail at random. */
import { jetstreamManager } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import type { NatsCarrier } from '../../../server/fleet/nats/nats-carrier.ts';
import { provisionFleet } from '../../../server/fleet/nats/provision-fleet.ts';
import { CutProxy } from '../../support/browser/cut-proxy.ts';
import { FleetRig } from '../../support/fleet/fleet-rig.ts';
import { type Random, seeded, sized } from '../../support/house/random.ts';
import {
  expectCopied,
  FAST_CLOCK,
  type RelayDaemon,
  RelayHost,
} from '../../support/fleet/relay-host.ts';
import { until } from '../../support/house/until.ts';

const FAULTS = sized({ short: 100, middle: 300, long: 5_000 });
/** All copies are compared with their logs this often, and at the end. */
const COMPARE_EVERY = 25;
const KINDS = [
  'kill',
  'cut',
  'cut',
  'cut',
  'restart',
  'restart',
  'second',
  'lose',
  'delete',
] as const;

it('FL1 FL2 FL3 FL5 no fault leaves a gap, a double or another order in a copy', async () => {
  await seeded(async (random) => {
    await using rig = await FleetRig.start();
    const reader = await rig.host('reader', { clock: FAST_CLOCK });
    await using a = await FaultyHost.start('a', rig);
    await using b = await FaultyHost.start('b', rig);
    await using c = await FaultyHost.start('c', rig);
    const hosts = [a, b, c];
    const counts = new Map<string, number>();
    for (let fault = 1; fault <= FAULTS; fault += 1) {
      for (const { host } of hosts) if (random.chance(0.8)) host.write(random.int(1, 60));
      const kind = random.pick(KINDS);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (kind === 'kill') {
        await rig.server.kill();
        await rig.server.resume();
      } else if (kind === 'delete') {
        const admin = await rig.server.admin();
        await (await jetstreamManager(admin)).streams.delete('EV');
        await provisionFleet(admin);
      } else await random.pick(hosts).suffer(kind, random);
      for (const host of hosts) await host.follow(reader);
      if (fault % COMPARE_EVERY !== 0 && fault !== FAULTS) continue;
      for (const each of hosts) {
        // Wakes a relay that rested while its copy was deleted.
        each.host.write(1);
        await expectCopied(reader, each.host);
        await until('all was followed', async () => each.follow(reader));
      }
    }
    const events = hosts.map(({ host }) => host.log.head);
    console.log(
      `${FAULTS} faults`,
      Object.fromEntries(counts),
      `events copied: ${events.join(' ')}`,
    );
  });
});

/** A host behind a proxy that can be cut, and a reader that follows its copy by a cursor. */
class FaultyHost {
  readonly host: RelayHost;
  readonly #proxy: CutProxy;
  #daemon: RelayDaemon;
  #followed = 0;

  private constructor(host: RelayHost, proxy: CutProxy, daemon: RelayDaemon) {
    this.host = host;
    this.#proxy = proxy;
    this.#daemon = daemon;
  }

  static async start(name: string, { server }: FleetRig): Promise<FaultyHost> {
    const host = new RelayHost(name);
    const proxy = await CutProxy.listen(() => server.port);
    return new FaultyHost(host, proxy, await host.daemon(proxy.url));
  }

  async suffer(kind: 'cut' | 'restart' | 'second' | 'lose', random: Random): Promise<void> {
    const { host } = this;
    if (kind === 'restart') {
      await this.#daemon.kill();
      host.write(random.int(1, 20));
      this.#daemon = await host.daemon(this.#proxy.url);
    } else if (kind === 'second') {
      const second = await host.daemon(this.#proxy.url);
      host.write(random.int(1, 20));
      // Either may win: a daemon that was just started does not serve yet.
      await until('one of the two stops', () => {
        host.write(1);
        return [this.#daemon, second].some(({ state }) => state === 'duplicate');
      });
      const [loser, winner] =
        second.state === 'duplicate' ? [second, this.#daemon] : [this.#daemon, second];
      await loser.kill();
      this.#daemon = winner;
    } else {
      this.#proxy.losesAnswers = kind === 'lose';
      host.write(random.int(1, 20));
      await new Promise((resolve) => setImmediate(resolve));
      this.#proxy.cut();
      this.#proxy.losesAnswers = false;
    }
  }

  /** Reads what follows the cursor; true when that is all there is. */
  async follow(reader: NatsCarrier): Promise<boolean> {
    const { host } = this;
    const events = await reader
      .replay(host.id, host.log.epoch, this.#followed, 1_000)
      .catch(() => []);
    expect(events).toEqual(host.log.read(this.#followed, events.length).map(({ json }) => json));
    this.#followed += events.length;
    return this.#followed === host.log.head;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    await this.#proxy[Symbol.asyncDispose]();
  }
}
