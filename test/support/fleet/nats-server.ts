/** A real NATS server with a store of its own: for tests of what hosts do with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, nkeyAuthenticator, nkeys, type NatsConnection } from '@nats-io/transport-node';
import type { HostIdentity } from '../../../server/fleet/host-identity.ts';
import { provisionFleet } from '../../../server/fleet/nats/provision-fleet.ts';
import { parseJson } from '../../../server/lib/parse-json.ts';
import { TEST_ROOT } from '../house/test-root.ts';
import { until } from '../house/until.ts';

/** Debian has it outside of the path of users. */
const NATS_SERVER = '/usr/sbin/nats-server';

/** May do everything. */
const ADMIN = nkeys.createUser();

interface Ports {
  nats: string[];
  /** Where other servers of its cluster connect. */
  cluster?: string[];
}

export class NatsServer {
  readonly #root = mkdtempSync(join(TEST_ROOT, 'n'));
  readonly #cluster: (routePort: number) => string;
  #child: ChildProcess | null = null;
  #port = -1;
  #routePort = -1;
  #admin: NatsConnection | null = null;
  #users: string;

  private constructor(users: string, cluster: (routePort: number) => string) {
    this.#users = users;
    this.#cluster = cluster;
  }

  /**
   * Started, with the stream and the buckets of a fleet. `users` are in the format of its settings;
   * without any, all may do everything.
   */
  static async start(users = ''): Promise<NatsServer> {
    const server = new NatsServer(users, () => '');
    await server.resume();
    await provisionFleet(await server.admin());
    return server;
  }

  /** Started, as one of a cluster: with what `cluster` adds to its settings, and nothing stored. */
  static async member(cluster: (routePort: number) => string): Promise<NatsServer> {
    const server = new NatsServer('', cluster);
    await server.resume();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  get routePort(): number {
    return this.#routePort;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  /** A connection that may do everything. */
  async admin(): Promise<NatsConnection> {
    this.#admin ??= await this.#connect();
    return this.#admin;
  }

  /** Starts it on the port and the store it had. */
  async resume(): Promise<void> {
    const config = join(this.#root, 'nats.conf');
    writeFileSync(
      config,
      `host: 127.0.0.1
port: ${this.#port}
ports_file_dir: "${this.#root}"
${this.#users && `authorization { users: [{ nkey: ${ADMIN.getPublicKey()} }, ${this.#users}] }`}
jetstream { store_dir: "${join(this.#root, 'store')}", max_file_store: 8G, max_memory_store: 64M }
${this.#cluster(this.#routePort)}
`,
    );
    const child = spawn(NATS_SERVER, ['-c', config], { stdio: 'ignore' });
    this.#child = child;
    const ports = join(this.#root, `nats-server_${child.pid}.ports`);
    const { nats, cluster = [] } = await until('the NATS server has a port', () => {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
      return existsSync(ports)
        ? (parseJson(readFileSync(ports, 'utf8')) as Ports | undefined)
        : null;
    });
    this.#port = portOf(nats);
    this.#routePort = portOf(cluster);
    await until('the NATS server answers', async () =>
      this.#connect().then(
        async (connection) => connection.close().then(() => true),
        () => false,
      ),
    );
  }

  /** Starts it again with other users. */
  async resumeWith(users: string): Promise<void> {
    await this.kill();
    this.#users = users;
    await this.resume();
  }

  async #connect(): Promise<NatsConnection> {
    const authenticator = nkeyAuthenticator(ADMIN.getSeed());
    return connect({ servers: this.url, reconnect: false, authenticator });
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const [child, admin] = [this.#child, this.#admin];
    this.#child = null;
    this.#admin = null;
    await admin?.close();
    if (child === null || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const name of readdirSync(this.#root)) {
      if (name.endsWith('.ports')) rmSync(join(this.#root, name));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#root, { recursive: true, force: true });
  }
}

function portOf([url]: readonly string[]): number {
  return url === undefined ? -1 : Number(new URL(url).port);
}

/** Of a host that joined the fleet of a server without rights. */
export function hostIdentity(name: string): HostIdentity {
  const seed = Buffer.from(nkeys.createUser().getSeed()).toString();
  return { id: `${name.replaceAll('-', '')}0123456789ABCDEF`, name, seed, ca: null };
}
