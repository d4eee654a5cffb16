/** A NATS server of its own for one measurement, with what a fleet needs on it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HostIdentity } from '../../server/fleet/host-identity.ts';
import { connectToServer } from '../../server/fleet/nats/connect-to-server.ts';
import { provisionFleet } from '../../server/fleet/nats/provision-fleet.ts';
import { createUserKey } from '../../server/fleet/nats/user-key.ts';

/** Debian has it outside of the path of users. */
const PROGRAM = '/usr/sbin/nats-server';

export class Nats {
  readonly url: string;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #root: string;

  private constructor(child: ChildProcess, port: string, root: string) {
    this.#child = child;
    this.#root = root;
    this.pid = child.pid ?? 0;
    this.url = `nats://127.0.0.1:${port}`;
  }

  /** Null where no server is installed. */
  static async start(): Promise<Nats | null> {
    if (!existsSync(PROGRAM)) return null;
    const root = mkdtempSync(join(tmpdir(), 'lwb-'));
    const config = join(root, 'nats.conf');
    const store = join(root, 'store');
    writeFileSync(
      config,
      `host: 127.0.0.1\nport: -1\nports_file_dir: "${root}"\n` +
        `jetstream { store_dir: "${store}", max_file_store: 8G, max_memory_store: 64M }\n`,
    );
    const child = spawn(PROGRAM, ['-c', config], { stdio: 'ignore' });
    const file = join(root, `nats-server_${child.pid}.ports`);
    let port: string | undefined;
    while (port === undefined) {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
      await pause(20);
      if (existsSync(file)) port = /:(\d+)"/.exec(readFileSync(file, 'utf8'))?.[1];
    }
    const nats = new Nats(child, port, root);
    const { seed } = createUserKey();
    const admin = await connectToServer(nats.url, { seed, ca: null, host: null });
    await provisionFleet(admin);
    await admin.close();
    return nats;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
    rmSync(this.#root, { recursive: true });
  }
}

/** Of the host with that number, on a server without rights. */
export function identityOf(number: number): HostIdentity {
  const name = `h${String(number).padStart(4, '0')}`;
  return { id: `${name}0123456789ABCDEF`, name, seed: createUserKey().seed, ca: null };
}
