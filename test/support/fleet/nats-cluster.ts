/** Three real NATS servers as one cluster, any of which can be cut off from the two others. */
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { provisionFleet } from '../../../server/fleet/nats/provision-fleet.ts';
import { CutProxy } from '../browser/cut-proxy.ts';
import { until } from '../house/until.ts';
import { NatsServer } from './nats-server.ts';

const MEMBERS = [0, 1, 2] as const;
type Member = (typeof MEMBERS)[number];

export class NatsCluster {
  readonly servers: NatsServer[] = [];
  /** From each server to each other one. */
  readonly #routes: { from: Member; to: Member; proxy: CutProxy }[] = [];

  /** Started, with the stream and the buckets of a fleet. */
  static async start(): Promise<NatsCluster> {
    const cluster = new NatsCluster();
    for (const from of MEMBERS) {
      for (const to of MEMBERS.filter((each) => each !== from)) {
        const proxy = await CutProxy.listen(() => cluster.servers[to]?.routePort ?? 0);
        cluster.#routes.push({ from, to, proxy });
      }
    }
    for (const member of MEMBERS) {
      cluster.servers.push(await NatsServer.member((port) => cluster.#settings(member, port)));
    }
    await until('the fleet is set up', async () =>
      provisionFleet(await cluster.of(0).admin()).then(
        () => true,
        () => false,
      ),
    );
    return cluster;
  }

  of(member: number): NatsServer {
    const server = this.servers[member];
    if (server === undefined) throw new Error(`no server ${member}`);
    return server;
  }

  /** As the setting of a host that knows them all. */
  get urls(): string {
    return this.servers.map(({ url }) => url).join(',');
  }

  async manager(member: number): Promise<JetStreamManager> {
    return jetstreamManager(await this.of(member).admin(), { checkAPI: false });
  }

  /** The number of the server that keeps the claims. */
  async keeperOfClaims(): Promise<number> {
    const { cluster } = await (await this.manager(0)).streams.info('KV_claims');
    return Number(cluster?.leader?.slice(1));
  }

  /** That server and the two others do not reach each other; hosts reach the one they know. */
  isolate(member: number): void {
    for (const { from, to, proxy } of this.#routes) {
      if (from !== member && to !== member) continue;
      proxy.isCut = true;
      proxy.cut();
    }
  }

  heal(): void {
    for (const { proxy } of this.#routes) proxy.isCut = false;
  }

  #settings(member: Member, routePort: number): string {
    const routes = this.#routes.filter(({ from }) => from === member);
    // Servers would also connect to each other directly, past what is cut: nothing listens there.
    const advertise = '127.0.0.1:1';
    return `server_name: n${member}
cluster {
  name: fleet
  listen: "127.0.0.1:${routePort}"
  advertise: "${advertise}"
  routes: ${JSON.stringify(routes.map(({ proxy }) => proxy.url))}
}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server[Symbol.asyncDispose]();
    for (const { proxy } of this.#routes) await proxy[Symbol.asyncDispose]();
  }
}
