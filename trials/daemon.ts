/** A daemon in its own process, as a script uses it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../server/lib/package-root.ts';

export type Json = Record<string, unknown>;

export class Daemon {
  readonly home: string;
  readonly #environment: NodeJS.ProcessEnv;
  #running: { child: ChildProcess; url: string; token: string } | null = null;

  constructor(home: string, environment: NodeJS.ProcessEnv) {
    this.home = home;
    // The trial is what tests a newer client.
    const settings = { LOOPWATCH_HOME: home, PORT: '0', LOOPWATCH_CLIENT_TRUST: 'any' };
    this.#environment = { ...environment, ...settings };
  }

  async start(): Promise<void> {
    const program = join(packageRoot(), 'dist/server/main.js');
    const child = spawn(process.execPath, [program, 'start'], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'inherit'],
      // Ctrl-C ends the trial, which still needs its daemon to end the terminals.
      detached: true,
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /listening on (\S+)/.exec(line.toString())?.[1] ?? '';
    const token = readFileSync(join(this.home, 'token'), 'utf8').trim();
    this.#running = { child, url, token };
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** 0 while it does not run. */
  get pid(): number {
    return this.#running?.child.pid ?? 0;
  }

  /** It takes requests and answers none, until it is killed. */
  pause(): void {
    this.#running?.child.kill('SIGSTOP');
  }

  /** Resolves when it has ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#running?.child;
    this.#running = null;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Throws the daemon's message when it refuses the request. */
  async send(method: string, path: string, body?: Json): Promise<Json> {
    if (this.#running === null) throw new Error('the daemon does not run');
    const { url, token } = this.#running;
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text) as Json;
  }
}
