/**
 * The files that make one agent report to the daemon: its settings, the capability of its hooks and
 * its last status line, in `runs/<run id>` of the home. They live as long as the agent: a client that
 * stays open after its loop goes on reporting.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { AgentKind } from '../../../shared/schema/agent-kind.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import { DAEMON_FILE } from '../../lib/daemon-file.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { isAlive, type ProcessIdentity } from '../../lib/process-identity.ts';
import type { ProgramVersions } from '../../lib/program-versions.ts';
import { type ClientVersion, NEWEST_TESTED, parseClientVersion } from '../client-version.ts';
import type { HookCapabilities, HookRun } from '../hooks/hook-capability.ts';
import { type HookSettings, hookSettings } from '../hooks/hook-settings.ts';
import { isQuotable } from '../agents.ts';
import { hasOwnStatusLine, ownPermissionMode } from './user-settings.ts';

/** Holds the id of the run in the environment of what a client starts that takes settings. */
export const RUN_VARIABLE = 'LOOPWATCH_RUN';

const DIRECTORY = 'runs';
const SETTINGS_FILE = 'settings.json';
const HOOK_FILE = 'hook.json';
const STATUS_LINE_FILE = 'status-line.json';
/** Hooks that an agent started with its last breath still read their file: as long as one may run. */
const LAST_HOOKS_MS = 5_000;
/** Present once the loop has ended before its agent. */
const AGENT_FILE = 'agent.json';

const AgentFile = z.object({ pid: z.int(), startedAt: z.string() });

export interface SupervisedRunsOptions {
  home: string;
  /** The agent's program as the settings name it. */
  program: string;
  versions: ProgramVersions;
  capabilities: HookCapabilities;
  clock: Clock;
  /** The terminals' own. */
  environment: NodeJS.ProcessEnv;
}

export class SupervisedRuns {
  readonly #options: SupervisedRunsOptions;
  readonly #directory: string;
  readonly #removals = new Map<string, Timer>();

  constructor(options: SupervisedRunsOptions) {
    this.#options = options;
    this.#directory = join(options.home, DIRECTORY);
  }

  /**
   * Takes a run that is about to start; writes its files and gives the flags to start its agent
   * with. Empty, with nothing written, for a client that is not known to take them. Throws the
   * system's error when the files cannot be written.
   */
  async prepare(agent: AgentKind, run: HookRun, taskDir: string): Promise<string> {
    this.sweep();
    const settings = await this.#settingsOf(agent, run.runId, taskDir);
    if (settings === null) return '';
    const directory = this.#of(run.runId);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const hook = {
      daemon: join(this.#options.home, DAEMON_FILE),
      capability: this.#options.capabilities.issue(run),
    };
    writeFileAtomic(directory, HOOK_FILE, `${JSON.stringify(hook)}\n`);
    const marked = { ...settings, env: { ...settings.env, [RUN_VARIABLE]: run.runId } };
    writeFileAtomic(directory, SETTINGS_FILE, `${JSON.stringify(marked, null, 2)}\n`);
    return this.#flags(run.runId);
  }

  /** Gives the flags that a run of that id would start with; writes nothing. */
  async preview(agent: AgentKind, runId: string): Promise<string> {
    return (await this.#settingsOf(agent, runId, null)) === null ? '' : this.#flags(runId);
  }

  /** The run is over. Its files go after its last hooks, or stay for as long as its agent lives. */
  end(runId: string, agent: ProcessIdentity | null): void {
    if (!existsSync(this.#of(runId))) return;
    if (agent === null || !isAlive(agent)) {
      this.#removals.get(runId)?.cancel();
      const remove = () => this.#remove(runId);
      this.#removals.set(runId, this.#options.clock.after(LAST_HOOKS_MS, remove));
      return;
    }
    try {
      const { pid, startedAt } = agent;
      writeFileAtomic(this.#of(runId), AGENT_FILE, JSON.stringify({ pid, startedAt }));
    } catch {
      // A disk that is full: the daemon's next start removes what nobody knows.
    }
  }

  /** The daemon stops: the next one removes what is left to remove. */
  dispose(): void {
    for (const removal of this.#removals.values()) removal.cancel();
  }

  /** Removes what agents left that have ended by now. */
  sweep(): void {
    for (const runId of this.#runIds()) {
      const agent = this.#agentOf(runId);
      if (agent !== null && !isAlive(agent)) this.#remove(runId);
    }
  }

  /** Takes the runs that go on after a start of the daemon; removes the files of all others. */
  keepOnly(runIds: ReadonlySet<string>): void {
    for (const runId of this.#runIds()) {
      if (!runIds.has(runId) && this.#agentOf(runId) === null) this.#remove(runId);
    }
    this.sweep();
  }

  /** Takes a run; gives the file in which its client's newest status line is kept, if it keeps one. */
  statusLineFile(runId: string): string {
    return join(this.#of(runId), STATUS_LINE_FILE);
  }

  /** What stands on the command line of a run's client, and of a client that took its settings over. */
  commandTextsOf(runId: string): string[] {
    const file = join(this.#of(runId), SETTINGS_FILE);
    return [`\0--settings\0${file}\0`, `\0--settings=${file}\0`];
  }

  /** Null for a client that is not known to take any, and for paths that cannot be typed. */
  async #settingsOf(
    agent: AgentKind,
    runId: string,
    taskDir: string | null,
  ): Promise<HookSettings | null> {
    const directory = this.#of(runId);
    if (!isQuotable(join(directory, SETTINGS_FILE))) return null;
    const paths = {
      node: process.execPath,
      relay: join(packageRoot(), 'dist/server/agents/hooks/hook-relay.js'),
      runFile: join(directory, HOOK_FILE),
      statusLineFile: this.#mayTakeStatusLine(agent) ? this.statusLineFile(runId) : null,
    };
    const ownMode = taskDir === null ? null : ownPermissionMode(this.#options.environment, taskDir);
    return hookSettings(await this.#versionOf(agent), paths, ownMode);
  }

  #flags(runId: string): string {
    return `--settings "${join(this.#of(runId), SETTINGS_FILE)}"`;
  }

  async #versionOf(agent: AgentKind): Promise<ClientVersion | null> {
    // Our own stand-in takes what the newest client takes.
    if (agent === 'stand-in') return NEWEST_TESTED;
    const { versions, program } = this.#options;
    return parseClientVersion((await versions.of(program)) ?? '');
  }

  /** The stand-in shows none, so that it takes nobody's place there. */
  #mayTakeStatusLine(agent: AgentKind): boolean {
    return agent === 'stand-in' || !hasOwnStatusLine(this.#options.environment);
  }

  #remove(runId: string): void {
    this.#removals.delete(runId);
    try {
      rmSync(this.#of(runId), { recursive: true, force: true });
    } catch {
      // The daemon's next start tries again.
    }
  }

  #of(runId: string): string {
    return join(this.#directory, runId);
  }

  #runIds(): string[] {
    try {
      return readdirSync(this.#directory);
    } catch {
      return [];
    }
  }

  #agentOf(runId: string): ProcessIdentity | null {
    try {
      return AgentFile.parse(JSON.parse(readFileSync(join(this.#of(runId), AGENT_FILE), 'utf8')));
    } catch {
      return null;
    }
  }
}
