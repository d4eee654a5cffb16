/**
 * A daemon in its own process on temporary directories, with loops whose agent only waits.
 * Disposing ends its sessions and itself, and removes every file.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ServerFrame } from '../../shared/schema/events/protocol.ts';
import { openHookCapabilities } from '../../server/agents/hooks/hook-capability.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import { loopwatchGreeting } from '../contenders/loopwatch-greeting.ts';
import type { SubscriberTarget } from '../load/subscriber-sockets.ts';

const PROGRAM = join(packageRoot(), 'dist/server/main.js');
/** A shell that has not started by then never will. */
const PATIENCE_MS = 60_000;

export class Rig {
  readonly root: string;
  readonly home: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #sessions: string[] = [];
  readonly #tasks: string[] = [];
  readonly #sockets: WebSocket[] = [];
  #daemon: { child: ChildProcess; url: string; token: string } | null = null;

  constructor(settings: Record<string, string> = {}) {
    this.root = mkdtempSync(join(tmpdir(), 'lwb-'));
    this.home = join(this.root, 'home');
    for (const name of ['run', 'tasks', 'bin', 'user']) mkdirSync(join(this.root, name));
    mkdirSync(this.home, { mode: 0o700 });
    const agent = join(this.root, 'bin', 'claude');
    writeFileSync(agent, '#!/bin/sh\n[ "$1" = --version ] || exec sleep 100000\n', { mode: 0o755 });
    this.#environment = {
      PATH: `${join(this.root, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: join(this.root, 'user'),
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      PORT: '0',
      LOOPWATCH_HOME: this.home,
      LOOPWATCH_ROOTS: join(this.root, 'tasks'),
      XDG_RUNTIME_DIR: join(this.root, 'run'),
      // The agents only wait. A loop that stalls is helped three times and then stopped: work that
      // none of the measures is about.
      LOOPWATCH_STALL_CAPTURES: '1000',
      ...settings,
    };
  }

  get pid(): number {
    return this.#daemon?.child.pid ?? 0;
  }

  /** How subscribers without their own client connect. */
  get target(): SubscriberTarget {
    const { url, token } = this.#running();
    const port = Number(new URL(url).port);
    return { port, greeting: loopwatchGreeting(port, token) };
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, 'start'], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /listening on (\S+)/.exec(line.toString())?.[1] ?? '';
    const token = readFileSync(join(this.home, 'token'), 'utf8').trim();
    this.#daemon = { child, url, token };
  }

  /** kill -9; its sessions and their agents stay for the next daemon. */
  async kill(): Promise<void> {
    const { child } = this.#running();
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Starts a loop in each of the new sessions; returns their task directories by session. */
  async startLoops(from: number, to: number): Promise<Map<string, string>> {
    const directories = new Map<string, string>();
    for (let n = from; n < to; n += 1) {
      const session = `loop${n}`;
      const directory = join(this.root, 'tasks', session);
      mkdirSync(directory);
      writeFileSync(join(directory, '.target.md'), 'Wait.\n');
      await this.#post('/api/sessions', { name: session, cwd: directory });
      this.#sessions.push(session);
      const limits = { maxIterations: 1_000, timeoutMinutes: 1_000 };
      await this.#post(`/api/sessions/${session}/task-auto`, { taskDir: directory, ...limits });
      directories.set(session, directory);
    }
    return directories;
  }

  /** Replaces the agent by a script, with its interpreter in the first line. */
  writeAgent(script: string): void {
    writeFileSync(join(this.root, 'bin', 'claude'), script, { mode: 0o755 });
  }

  /** Creates a task in its own directory; returns its id. */
  async createTask(name: string, isStarted: boolean): Promise<string> {
    const root_folder = join(this.root, 'tasks', name);
    mkdirSync(root_folder);
    const body = { task_name: name, description: 'Work.', root_folder, auto_start: isStarted };
    const task = (await this.#post('/api/v1/tasks', body)) as { id: string };
    this.#tasks.push(name);
    return task.id;
  }

  /** Throws unless the daemon answers with success. */
  async get(path: string): Promise<unknown> {
    const response = await this.#send('GET', path);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text);
  }

  /** Opens sessions with a waiting shell; returns the path of each terminal device. */
  async openShells(from: number, to: number): Promise<string[]> {
    const devices: string[] = [];
    for (let n = from; n < to; n += 1) {
      const session = `shell${n}`;
      const directory = join(this.root, 'tasks', session);
      mkdirSync(directory);
      await this.#post('/api/sessions', { name: session, cwd: directory });
      this.#sessions.push(session);
      const text = 'tty > device.new; mv device.new device; exec sleep 100000';
      await this.#post(`/api/sessions/${session}/input`, { text, submit: true });
      const file = join(directory, 'device');
      const began = performance.now();
      while (!existsSync(file)) {
        if (performance.now() - began > PATIENCE_MS) throw new Error(`no shell in ${session}`);
        await pause(10);
      }
      devices.push(readFileSync(file, 'utf8').trim());
    }
    return devices;
  }

  /** Makes an agent of a session ask, as its hook does; resolves when it is answered. */
  async askPermission(session: string): Promise<void> {
    const secret = openHookCapabilities(this.home).issue({ session, runId: 'bench' });
    const payload = {
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
      tool_input: { command: 'make' },
    };
    await (await this.#send('POST', '/api/hooks', payload, secret)).text();
  }

  /** The sum of a metric over all its labels. */
  async metric(name: string): Promise<number> {
    const text = await (await this.#send('GET', '/metrics')).text();
    const lines = text.split('\n').filter((line) => new RegExp(`^${name}[{ ]`).test(line));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  /** Runs a command of the shell on this daemon. Throws unless it succeeds. */
  command(...words: readonly string[]): void {
    execFileSync(process.execPath, [PROGRAM, ...words], { env: this.#environment });
  }

  /** A single-use link that logs a browser in. */
  async loginLink(): Promise<string> {
    const response = await this.#send('POST', '/api/login-codes');
    return ((await response.json()) as { link: string }).link;
  }

  /** Opens a WebSocket that sends these frames first; every frame it gets is passed on. */
  async connect(
    frames: readonly object[],
    onFrame: (data: Buffer, isBinary: boolean) => void,
    path = '/ws',
  ): Promise<WebSocket> {
    const { url, token } = this.#running();
    const socket = new WebSocket(url.replace('http', 'ws') + path, ['loopwatch.v1'], {
      headers: { authorization: `Bearer ${token}` },
    });
    this.#sockets.push(socket);
    await once(socket, 'open');
    socket.on('message', (data, isBinary) => onFrame(data as Buffer, isBinary));
    for (const frame of frames) socket.send(JSON.stringify(frame));
    return socket;
  }

  /** Subscribes over WebSocket; `onFrame` gets every frame from then on. */
  async subscribe(after: 0 | null, onFrame: (frame: ServerFrame) => void): Promise<void> {
    await new Promise<void>((subscribed, failed) => {
      const request = { type: 'subscribe', id: 1, types: ['*'], after };
      this.connect([request], (data) => {
        const frame = JSON.parse(data.toString()) as ServerFrame;
        if (frame.type === 'subscribed') subscribed();
        onFrame(frame);
      }).catch(failed);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    if (this.#daemon !== null) {
      for (const session of this.#sessions) await this.#send('DELETE', `/api/sessions/${session}`);
      for (const task of this.#tasks) await this.#send('DELETE', `/api/v1/tasks/by-name/${task}`);
      const exited = once(this.#daemon.child, 'exit');
      this.#daemon.child.kill('SIGTERM');
      await exited;
    }
    rmSync(this.root, { recursive: true });
  }

  async #post(path: string, body: object): Promise<unknown> {
    const response = await this.#send('POST', path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  async #send(method: string, path: string, body?: object, secret?: string): Promise<Response> {
    const { url, token: own } = this.#running();
    const token = secret ?? own;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return fetch(url + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  #running() {
    if (this.#daemon === null) throw new Error('the daemon does not run');
    return this.#daemon;
  }
}
