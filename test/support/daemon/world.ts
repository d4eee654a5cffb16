/**
 * A home for one test: directories, environment, the stand-in as `claude`, and daemons on it.
 * Disposing ends every daemon, terminal and agent, and removes all files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createDaemon, type Daemon } from '../../../server/daemon/daemon.ts';
import type { DaemonOverrides } from '../../../server/daemon/daemon-overrides.ts';
import type { Clock } from '../../../server/lib/clock.ts';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { readConfig } from '../../../server/lib/config/config.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { ApiClient } from './api-client.ts';
import { makeHome } from '../drills/empty-database.ts';
import { TEST_ROOT } from '../house/test-root.ts';
import { until } from '../house/until.ts';
import { endProcess, gitIn, tmuxIn, turnsIn } from './world-processes.ts';

const PROGRAM = join(packageRoot(), 'dist/server/main.js');
const STAND_IN = join(packageRoot(), 'dist/stand-in/main.js');

/** Limits as short as a test can bear; each test may set its own. */
const QUICK = {
  LOOPWATCH_SIGNAL_POLL_MS: '100',
  LOOPWATCH_IDLE_CONFIRM_MS: '200',
  LOOPWATCH_STOP_GRACE_MS: '1000',
  LOOPWATCH_KILL_GRACE_MS: '500',
  LOOPWATCH_RESTART_DELAYS_MS: '50,100,150',
  LOOPWATCH_START_TIMEOUT_MS: '60000',
  LOOPWATCH_STAND_IN_STEP_MS: '50',
  // The inhibitor is of the machine, not of this home.
  LOOPWATCH_STAY_AWAKE: 'off',
};

/** A daemon in its own process, to be killed. */
export interface SpawnedDaemon {
  process: ChildProcess;
  url: string;
  api: ApiClient;
  /** kill -9, and wait until it has ended. */
  kill(): Promise<void>;
}

export class World {
  readonly root = mkdtempSync(join(TEST_ROOT, 'w'));
  readonly home = join(this.root, 'home');
  readonly environment: NodeJS.ProcessEnv;
  /** What `run` and `spawn` start; a test of an update sets that of another version. */
  program = PROGRAM;
  readonly #daemons: Daemon[] = [];
  readonly #spawned: ChildProcess[] = [];

  constructor(settings: Record<string, string> = {}) {
    for (const name of ['run', 'tasks', 'bin', 'claude', 'user']) mkdirSync(join(this.root, name));
    const bin = join(this.root, 'bin');
    this.environment = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: join(this.root, 'user'),
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      PORT: '0',
      LOOPWATCH_HOME: this.home,
      LOOPWATCH_ROOTS: join(this.root, 'tasks'),
      XDG_RUNTIME_DIR: join(this.root, 'run'),
      CLAUDE_CONFIG_DIR: join(this.root, 'claude'),
      // The stand-in plays any loop; most tests name this one.
      LOOPWATCH_LOOP: 'moonview',
      ...QUICK,
      ...settings,
    };
    // What else a loop needs of its agent: the command and a login.
    const commands = join(this.root, 'claude', 'commands', 'moonview');
    mkdirSync(commands, { recursive: true });
    writeFileSync(join(commands, 'auto.md'), 'Run the loop.\n');
    writeFileSync(join(this.root, 'claude', '.credentials.json'), '{}');
    this.writeProgram('claude', `exec "${process.execPath}" "${STAND_IN}" "$@"`);
  }

  /** Creates a directory for a task, with a scenario for the stand-in if one is given. */
  taskDir(name: string, scenario?: object): string {
    const directory = join(this.root, 'tasks', name);
    mkdirSync(directory, { recursive: true });
    if (scenario !== undefined) {
      writeFileSync(join(directory, 'stand-in.json'), JSON.stringify(scenario));
    }
    return directory;
  }

  /** Puts a shell script of that name first on the PATH of daemon and terminals. */
  writeProgram(name: string, script: string): void {
    if (name === 'claude') this.writeClient('', script);
    else this.#write(name, script);
  }

  /** Installs an agent that reports `version`; an empty one is unknown. */
  writeClient(version: string, script: string): void {
    this.#write('claude', `[ "$1" = --version ] && { echo '${version}'; exit; }; ${script}`);
  }

  #write(name: string, script: string): void {
    writeFileSync(join(this.root, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** A daemon in this process. */
  async start(
    clock?: Clock,
    more: Pick<DaemonOverrides, 'random' | 'demoPace' | 'carrier'> = {},
  ): Promise<{ daemon: Daemon; api: ApiClient }> {
    const { environment } = this;
    if (!existsSync(this.home)) makeHome(this.home);
    const daemon = await createDaemon(readConfig(environment), { clock, environment, ...more });
    this.#daemons.push(daemon);
    return { daemon, api: new ApiClient(daemon.url, daemon.token) };
  }

  /** A daemon in its own process, started as a user does; `wrapper` is the command that becomes it. */
  async spawn(wrapper: readonly string[] = []): Promise<SpawnedDaemon> {
    const child = this.run(['start'], {}, wrapper);
    const url = await listening(child);
    const token = readFileSync(join(this.home, 'token'), 'utf8').trim();
    const kill = async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    };
    return { process: child, url, api: new ApiClient(url, token), kill };
  }

  /** The command line, with pipes. */
  run(
    words: readonly string[],
    more: NodeJS.ProcessEnv = {},
    wrapper: readonly string[] = [],
  ): ChildProcess {
    const [program = '', ...rest] = [...wrapper, process.execPath, this.program, ...words];
    const child = spawn(program, rest, {
      env: { ...this.environment, ...more },
      cwd: this.root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#spawned.push(child);
    return child;
  }

  /** Runs the command line to its end. */
  async cli(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    return this.cliWith({}, ...words);
  }

  /** The same with more in its environment. */
  async cliWith(
    more: NodeJS.ProcessEnv,
    ...words: string[]
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = this.run(words, more);
    const output = { stdout: '', stderr: '' };
    child.stdout?.on('data', (data: Buffer) => (output.stdout += data.toString()));
    child.stderr?.on('data', (data: Buffer) => (output.stderr += data.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...output };
  }

  /** Paths of the tmux sockets of this world's sessions; not of its daemons. */
  sockets(): string[] {
    return readdirSync(join(this.root, 'run'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isSocket() && !entry.name.endsWith('.sock'))
      .map((entry) => join(entry.parentPath, entry.name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const daemon of this.#daemons) await daemon.close();
    for (const child of this.#spawned) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    for (const socket of this.sockets()) {
      await execFile('tmux', ['-S', socket, 'kill-server'], { timeoutMs: 60_000 });
    }
    // A server that was stopped, as by a tracer that was killed, hears nothing.
    for (const pid of tmuxIn(this)) endProcess(pid);
    // The turns of tasks outlive their daemon, for the next one.
    for (const pid of turnsIn(this)) endProcess(pid);
    // A request whose reader left may still read a repository, and git writes while it reads.
    await until('the files can be removed', () => {
      rmSync(this.root, { recursive: true, force: true });
      return gitIn(this).length === 0 && !existsSync(this.root);
    });
  }
}

async function listening(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (data: Buffer) => {
      output += data.toString();
      const url = /^loopwatch listening on (\S+)$/m.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`the daemon ended with ${code}: ${output}`)));
  });
}
