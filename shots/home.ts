/**
 * A daemon on temporary directories with the stand-in as its agent. Disposing ends its sessions and
 * itself, and removes every file.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { packageRoot } from '../server/lib/package-root.ts';

const POLL_EVERY_MS = 50;
const PATIENCE_MS = 180_000;

type Json = Record<string, unknown>;

export class ShotsHome {
  readonly #root = mkdtempSync(join(tmpdir(), 'lws-'));
  readonly #environment: NodeJS.ProcessEnv;
  readonly #sessions: string[] = [];
  #daemon: { child: ChildProcess; url: string; token: string } | null = null;

  constructor() {
    for (const name of ['run', 'work', 'bin', 'user']) mkdirSync(join(this.#root, name));
    const commands = join(this.#root, 'user', '.claude', 'commands', 'moonview');
    mkdirSync(commands, { recursive: true });
    writeFileSync(join(commands, 'auto.md'), 'Run the loop.\n');
    const standIn = join(packageRoot(), 'dist/stand-in/main.js');
    const version = `[ "$1" = --version ] && { echo '2.1.0 (Claude Code)'; exit; }`;
    const agent = `#!/bin/sh\n${version}; exec "${process.execPath}" "${standIn}" "$@"\n`;
    writeFileSync(join(this.#root, 'bin', 'claude'), agent, { mode: 0o755 });
    this.#environment = {
      PATH: `${join(this.#root, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: join(this.#root, 'user'),
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      PORT: '0',
      LOOPWATCH_HOME: join(this.#root, 'home'),
      LOOPWATCH_ROOTS: join(this.#root, 'work'),
      XDG_RUNTIME_DIR: join(this.#root, 'run'),
      ANTHROPIC_API_KEY: 'not-a-key',
      LOOPWATCH_LOOP: 'moonview',
      LOOPWATCH_RESTART_DELAYS_MS: '50,100,150',
      LOOPWATCH_STAND_IN_STEP_MS: '80',
      LOOPWATCH_IDLE_CONFIRM_MS: '200',
      LOOPWATCH_SIGNAL_POLL_MS: '100',
    };
  }

  get url(): string {
    return this.#running().url;
  }

  /** `settings` are added to those of the home. */
  async start(settings: Record<string, string> = {}): Promise<void> {
    const program = join(packageRoot(), 'dist/server/main.js');
    const child = spawn(process.execPath, [program, 'start'], {
      env: { ...this.#environment, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /listening on (\S+)/.exec(line.toString())?.[1] ?? '';
    const token = readFileSync(join(this.#root, 'home', 'token'), 'utf8').trim();
    this.#daemon = { child, url, token };
  }

  /** Ends the daemon; its terminals stay. */
  async stop(): Promise<void> {
    if (this.#daemon === null) return;
    const { child } = this.#daemon;
    this.#daemon = null;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  /** Creates a directory for work, with a scenario of the stand-in if given. */
  directory(name: string, scenario?: Json): string {
    const path = join(this.#root, 'work', name);
    mkdirSync(path, { recursive: true });
    if (scenario !== undefined) {
      writeFileSync(join(path, 'stand-in.json'), JSON.stringify(scenario));
    }
    return path;
  }

  async openSession(name: string, cwd: string): Promise<void> {
    await this.send('POST', '/api/sessions', { name, cwd });
    this.#sessions.push(name);
  }

  /** Throws the daemon's message when it refuses the request. */
  async send(method: string, path: string, body?: Json): Promise<Json> {
    const { url, token } = this.#running();
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text) as Json;
  }

  /** Waits until the answer of a path is as wanted. */
  async reaches(path: string, isWanted: (body: Json) => boolean): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const body = await this.send('GET', path);
      if (isWanted(body)) return;
      if (performance.now() > deadline) {
        throw new Error(`${path} stays ${JSON.stringify(body).slice(0, 400)}`);
      }
      await pause(POLL_EVERY_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Only a daemon can end the terminals of its home.
    if (this.#daemon === null) await this.start();
    for (const name of this.#sessions) {
      await this.send('DELETE', `/api/sessions/${name}`).catch(() => undefined);
    }
    await this.stop();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  #running() {
    if (this.#daemon === null) throw new Error('the daemon does not run');
    return this.#daemon;
  }
}
