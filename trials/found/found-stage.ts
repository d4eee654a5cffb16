/**
 * A user with sessions of a real client in a tmux and in terminals of their own, behind the model, and
 * a daemon that only finds them. Disposing ends every process and removes every file.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execFile } from '../../server/lib/processes/exec-file.ts';
import { systemProcesses } from '../../server/lib/processes/processes.ts';
import { writeClientHome } from '../client/client-home.ts';
import type { Client } from '../client/install-client.ts';
import { Daemon } from '../daemon.ts';
import { Model } from '../model/model.ts';
import { Causes } from './causes.ts';
import type { HandSession, Place } from './hand-session.ts';
import { RecordLog } from './record-log.ts';
import { ShownSessions } from './shown-sessions.ts';
import { UserTerminal } from './user-terminal.ts';
import { UserTmux } from './user-tmux.ts';

const POLL_EVERY_MS = 10;
/** On a loaded machine the first session in the background takes minutes. */
const PATIENCE_MS = 300_000;
const CLIENT_MS = 120_000;
const MODE = ['--permission-mode', 'default'];
/** As `claude --bg` names its session. */
const JOB = /backgrounded\D*?\b([0-9a-f]{8})\b/;
const SIZES = [
  { cols: 90, rows: 25 },
  { cols: 132, rows: 43 },
  { cols: 80, rows: 24 },
];

export class FoundStage {
  readonly client: Client;
  readonly #ended = new AbortController();
  readonly #root = mkdtempSync(join(tmpdir(), 'lwf-'));
  readonly causes = new Causes();
  readonly model = new Model(this.causes.onEdge);
  readonly work = join(this.#root, 'work');
  /** Of the user: settings, records and transcripts of the client. */
  readonly user = join(this.#root, 'user');
  readonly tmux: UserTmux;
  readonly daemon: Daemon;
  readonly shown: ShownSessions;
  readonly records: RecordLog;
  readonly sessions: HandSession[] = [];
  readonly #environment: NodeJS.ProcessEnv;
  #closing: Promise<void> | null = null;

  constructor(client: Client) {
    this.client = client;
    for (const name of ['run', 'work', 'bin', 'user']) mkdirSync(join(this.#root, name));
    this.#environment = {
      PATH: `${join(this.#root, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: this.user,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      XDG_RUNTIME_DIR: join(this.#root, 'run'),
    };
    this.tmux = new UserTmux(this.#root, this.#environment);
    const environment = { ...this.#environment, LOOPWATCH_ROOTS: this.work };
    this.daemon = new Daemon(join(this.#root, 'home'), environment);
    this.records = new RecordLog(join(this.user, '.claude'), this.#ended.signal);
    this.shown = new ShownSessions(this.daemon, this.#ended.signal);
  }

  async begin(): Promise<void> {
    const places = { home: this.user, bin: join(this.#root, 'bin'), projects: [this.work] };
    writeClientHome(places, this.client.program, await this.model.listen());
    this.model.decide(this.causes.choose);
    await this.daemon.start();
    void this.shown.follow();
    void this.records.follow();
  }

  /** Starts the client by hand, with that prompt. Resolves when it keeps a record of itself. */
  async open(name: string, place: Place, prompt: string | null): Promise<HandSession> {
    const startedAtMs = performance.now();
    const words = [...MODE, ...(prompt === null ? [] : [prompt])];
    const opened = await this.#open(name, place, words);
    const { atMs } = await this.until(`a record of ${name}`, () => this.records.of(opened.pid)[0]);
    const session = { name, startedAtMs, recordedAtMs: atMs, ...opened };
    this.sessions.push(session);
    return session;
  }

  /** Polls; fails when nothing comes of it. */
  async until<Found>(
    what: string,
    poll: () => Found | Promise<Found>,
    patienceMs = PATIENCE_MS,
  ): Promise<NonNullable<Found>> {
    for (const since = performance.now(); ;) {
      const found = await poll();
      if (found) return found;
      if (performance.now() - since > patienceMs) throw new Error(`waited in vain: ${what}`);
      await pause(POLL_EVERY_MS);
    }
  }

  /** Once, even when a trial that is ended disposes it while its part still runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #open(
    name: string,
    place: Place,
    words: string[],
  ): Promise<Omit<HandSession, 'name' | 'startedAtMs' | 'recordedAtMs'>> {
    if (place === 'tmux') return this.#inTmux(name, words);
    if (place === 'background') return this.#inBackground(name, words);
    const printed = place === 'print' ? ['-p', ...words] : words;
    const program = join(this.#root, 'bin/claude');
    const terminal = new UserTerminal(program, printed, this.work, this.#environment);
    return {
      pid: terminal.pid,
      submit: async (text) => {
        terminal.type(text);
        // In one piece it would be taken for a paste.
        await pause(KEY_MS);
        terminal.type('\r');
      },
      escape: async () => {
        terminal.type('\x1b');
        return Promise.resolve();
      },
      close: async () => {
        terminal.close();
        return Promise.resolve();
      },
      screen: async () => Promise.resolve(terminal.text),
      facts: async () => terminal.facts(name),
    };
  }

  async #inTmux(name: string, words: string[]) {
    const size = SIZES[this.sessions.length % SIZES.length] ?? { cols: 80, rows: 24 };
    const pid = await this.tmux.open(name, ['claude', ...words], { cwd: this.work, ...size });
    return {
      pid,
      submit: async (text: string) => {
        await this.tmux.type(name, text);
        await pause(KEY_MS);
        await this.tmux.press(name, 'Enter');
      },
      escape: async () => this.tmux.press(name, 'Escape'),
      close: async () => this.tmux.close(name),
      screen: async () => this.tmux.screen(name),
      facts: async () => new Map([[`${name}: screen`, steady(await this.tmux.screen(name))]]),
    };
  }

  async #inBackground(name: string, words: string[]) {
    const printed = await this.run('--bg', ...words);
    const job = JOB.exec(printed)?.[1];
    if (job === undefined) throw new Error(`claude --bg said: ${printed}`);
    const pid = await this.until(`a record of ${name}`, () => this.records.pidOf(job));
    const nothing = async () => Promise.resolve();
    return {
      pid,
      submit: nothing,
      escape: nothing,
      close: async () => {
        await this.run('stop', job);
      },
      screen: async () => this.run('logs', job),
      facts: async () => Promise.resolve(new Map<string, string>()),
    };
  }

  /** The client itself, for a person in a shell; what it prints. */
  async run(...words: string[]): Promise<string> {
    const options = { env: this.#environment, cwd: this.work, timeoutMs: CLIENT_MS };
    const result = await execFile(join(this.#root, 'bin/claude'), words, options);
    return result.ok ? result.stdout : `${result.stdout}${result.stderr}`;
  }

  async #close(): Promise<void> {
    this.#ended.abort();
    await this.run('daemon', 'stop', '--any').catch(() => undefined);
    await this.tmux.end();
    await this.daemon.end('SIGKILL');
    // A client in the background may have been started again meanwhile.
    for (const each of await systemProcesses.list()) {
      const environment = await systemProcesses.environment(each.pid);
      if (environment.includes(`\0HOME=${this.user}\0`)) systemProcesses.signal(each, 'SIGKILL');
    }
    this.model.close();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Between a text and Enter. */
const KEY_MS = 300;

/** Without the mark of a tool call, which blinks while the client waits for a permission. */
function steady(screen: string): string {
  return screen.replaceAll('●', ' ');
}
