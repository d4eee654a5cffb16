/** The real NATS server of a fleet, on the configuration of its founder; ended by the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { until } from '../house/until.ts';

/** Debian has it outside of the path of users. */
const NATS_SERVER = '/usr/sbin/nats-server';

export class FleetServer {
  readonly #config: string;
  readonly #port: number;
  #process: ChildProcess | null = null;
  /** All it wrote, for the message of a test that fails. */
  log = '';

  constructor(config: string, port: number) {
    this.#config = config;
    this.#port = port;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    const child = spawn(NATS_SERVER, ['-c', this.#config], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    child.stderr.on('data', (chunk: Buffer) => (this.log += chunk.toString('utf8')));
    await until(
      'the NATS server takes connections',
      async () => {
        if (child.exitCode !== null) throw new Error(`the NATS server ended:\n${this.log}`);
        return takesConnections(this.#port);
      },
      () => this.log,
    );
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
