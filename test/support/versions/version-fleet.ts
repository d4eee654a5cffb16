/** A fleet of hosts of two versions, made as a person makes it, on a real NATS server with its rights. */
import { join } from 'node:path';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { ApiClient } from '../daemon/api-client.ts';
import { join as joinAs } from '../daemon/invite-person.ts';
import { FleetServer, freePort } from '../fleet/fleet-server.ts';
import { until } from '../house/until.ts';
import { OldBuild } from './old-build.ts';
import { VersionHost } from './version-host.ts';

const NEW_PROGRAM = join(packageRoot(), 'dist/server/main.js');

export type Side = 'older' | 'newer';

export class VersionFleet {
  readonly build: OldBuild;
  readonly older: VersionHost;
  readonly newer: VersionHost;
  readonly #founder: VersionHost;
  readonly #hosts: VersionHost[] = [];
  #server: FleetServer | null = null;
  #port = 0;

  private constructor(build: OldBuild, founder: Side) {
    this.build = build;
    this.older = this.host('older', 'older');
    this.newer = this.host('newer', 'newer');
    this.#founder = this[founder];
  }

  /**
   * Two hosts that reach each other, `older` of that commit and `newer` of this tree, and an admin who
   * was invited by the founder.
   */
  static async open(commit: string, founder: Side): Promise<VersionFleet> {
    const fleet = new VersionFleet(await OldBuild.make(commit), founder);
    try {
      await fleet.#open();
      return fleet;
    } catch (error) {
      await fleet[Symbol.asyncDispose]();
      throw error;
    }
  }

  get url(): string {
    return `tls://127.0.0.1:${this.#port}`;
  }

  get sides(): { asks: VersionHost; shown: VersionHost }[] {
    const { older, newer } = this;
    return [
      { asks: newer, shown: older },
      { asks: older, shown: newer },
    ];
  }

  programOf(side: Side): string {
    return side === 'older' ? this.build.program : NEW_PROGRAM;
  }

  /** A home of that version, in no fleet yet; it ends with the fleet. */
  host(name: string, side: Side): VersionHost {
    const host = new VersionHost(name, this.programOf(side));
    this.#hosts.push(host);
    return host;
  }

  /** The founder invites it, and it joins by the link. */
  async join(host: VersionHost): Promise<void> {
    const invited = await this.#founder.cli('fleet', 'invite', host.name, '--json');
    await host.cli('fleet', 'join', (JSON.parse(invited) as { link: string }).link);
    host.world.environment['LOOPWATCH_NATS'] = this.url;
    await until(`the server knows ${host.name}`, async () => {
      const { code } = await host.world.cli('fleet', 'doctor');
      return code === 0;
    });
  }

  /** Until that host is in this state on both. */
  async isSeen(host: VersionHost, state: 'reachable' | 'unreachable'): Promise<void> {
    for (const asks of [this.older, this.newer].filter((each) => each !== host)) {
      let seen: unknown;
      await until(
        `${host.name} is ${state} on ${asks.name}`,
        async () => {
          const { hosts, problem } = (await asks.admin.get('/api/hosts')).body;
          seen = [hosts, problem];
          return (hosts as { name: string; state: string }[]).some(
            (each) => each.name === host.name && each.state === state,
          );
        },
        () => seen,
      );
    }
  }

  /** Invites someone on one host; returns their token once both hosts know it. */
  async invite(on: VersionHost, name: string): Promise<{ id: string; token: string }> {
    const { id, api } = await joinAs(on.admin, name, 'admin');
    for (const host of [this.older, this.newer]) {
      const there = new ApiClient(host.admin.url, api.token);
      await until(`${host.name} knows ${name}`, async () => {
        const { body } = await there.get('/api/me');
        return body['name'] === name;
      });
    }
    return { id, token: api.token };
  }

  async #open(): Promise<void> {
    const founder = this.#founder;
    this.#port = await freePort();
    const listen = `127.0.0.1:${this.#port}`;
    await founder.cli('fleet', 'init', '--name', founder.name, '--listen', listen);
    founder.world.environment['LOOPWATCH_NATS'] = this.url;
    this.#server = new FleetServer(join(founder.world.home, 'fleet/nats.conf'), this.#port);
    await this.#server.start();
    await founder.cli('fleet', 'doctor');
    const other = founder === this.older ? this.newer : this.older;
    await this.join(other);
    await Promise.all([this.older.start(), this.newer.start()]);
    await this.isSeen(this.older, 'reachable');
    await this.isSeen(this.newer, 'reachable');
    const { token } = await this.invite(founder, 'Mia');
    for (const host of [this.older, this.newer]) host.token = token;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const host of this.#hosts) await host[Symbol.asyncDispose]();
    await this.#server?.stop();
    this.build[Symbol.dispose]();
  }
}
