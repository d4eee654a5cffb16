/**
 * The files that make one agent report to the daemon: its settings, the capability of its hooks and
 * its last status line, in `runs/<run id>` of the home. They live as long as the agent: a client
 * that stays open after its loop continues to report.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { LoopName } from '../../../shared/rules/loops/known-loops.ts';
import { MODE_PLACEHOLDER } from '../../../shared/rules/permission-mode.ts';
import type { AgentKind } from '../../../shared/schema/agents/agent-kind.ts';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import { DAEMON_FILE } from '../../lib/files/daemon-file.ts';
import { packageRoot } from '../../lib/package-root.ts';
import {
  isAlive,
  isSameProcess,
  type ProcessIdentity,
} from '../../lib/processes/process-identity.ts';
import type { ProgramVersions } from '../../lib/processes/program-versions.ts';
import { type ClientVersion, NEWEST_TESTED, parseClientVersion } from '../client-version.ts';
import type { HookCapabilities, HookRun } from '../hooks/hook-capability.ts';
import { type HookSettings, hookSettings } from '../hooks/hook-settings.ts';
import { isQuotable } from '../agents.ts';
import {
  type LaunchPermissions,
  modeFlag,
  permissionSettings,
  takesMode,
} from './launch-permissions.ts';
import { pluginFlag } from './plugin-directory.ts';
import { giveStepAccess } from './step-access.ts';
import { hasOwnStatusLine, ownPermissionMode } from './user-settings.ts';

/** Carries the id of the run in the environment of what a client with our settings starts. */
export const RUN_VARIABLE = 'LOOPWATCH_RUN';

/** Names the directory that the loop's signals are read in, which a worktree of its work is not. */
const SIGNAL_DIRECTORY_VARIABLE = 'LOOPWATCH_SIGNAL_DIR';

const DIRECTORY = 'runs';
const SETTINGS_FILE = 'settings.json';
const HOOK_FILE = 'hook.json';
const STATUS_LINE_FILE = 'status-line.json';
/** Hooks that an agent started just before its end still read their file: as long as one may run. */
const LAST_HOOKS_MS = 5_000;
/** Exists when the loop ended before its agent. */
const AGENT_FILE = 'agent.json';

const AgentFile = z.object({ pid: z.int(), startedAt: z.string() });

/** Where an agent is started, and what it may do; null: nothing is chosen for it. */
export interface LaunchScope {
  directory: string;
  permissions: LaunchPermissions | null;
}

export interface LaunchFilesOptions {
  home: string;
  /** The agent's program according to the settings. */
  program: string;
  /** Ours is handed to the client; the others are in it. */
  loop: LoopName;
  versions: ProgramVersions;
  capabilities: HookCapabilities;
  clock: Clock;
  /** That of the terminals. */
  environment: NodeJS.ProcessEnv;
}

export class LaunchFiles {
  readonly #options: LaunchFilesOptions;
  readonly #directory: string;
  readonly #removals = new Map<string, Timer>();

  constructor(options: LaunchFilesOptions) {
    this.#options = options;
    this.#directory = join(options.home, DIRECTORY);
  }

  /**
   * Writes the files of a run about to start and returns the flags for its agent. A client not known
   * to accept settings gets no files, and only the flags it takes. Throws the system's error when the
   * files cannot be written.
   */
  async prepare(agent: AgentKind, run: HookRun, place: LaunchScope): Promise<string> {
    this.sweep();
    const version = await this.#versionOf(agent);
    const settings = this.#settingsOf(agent, version, run.runId);
    if (settings === null) return this.flagsWithoutFiles(agent, place.permissions);
    const directory = this.#of(run.runId);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const hook = {
      daemon: join(this.#options.home, DAEMON_FILE),
      capability: this.#options.capabilities.issue(run),
    };
    writeFileAtomic(directory, HOOK_FILE, `${JSON.stringify(hook)}\n`);
    const { permissions } = place;
    const { loop, environment } = this.#options;
    const mayCheck = permissions?.mayCheck === true;
    const steps = loop === 'loopwatch' ? giveStepAccess(directory, mayCheck) : null;
    const ownMode = ownPermissionMode(environment, place.directory);
    const marked = {
      ...settings,
      env: {
        ...settings.env,
        ...steps?.env,
        [RUN_VARIABLE]: run.runId,
        [SIGNAL_DIRECTORY_VARIABLE]: place.directory,
      },
      permissions: permissionSettings(permissions, ownMode, steps?.allow ?? []),
    };
    writeFileAtomic(directory, SETTINGS_FILE, `${JSON.stringify(marked, null, 2)}\n`);
    return this.#flags(version, run.runId, permissions?.mode ?? null);
  }

  /** For a client that accepts no settings, and where none can be written. */
  async flagsWithoutFiles(agent: AgentKind, chosen: LaunchPermissions | null): Promise<string> {
    return this.#flags(await this.#versionOf(agent), null, chosen?.mode ?? null);
  }

  /** The flags of such a run, with placeholders and without writing anything. */
  async preview(agent: AgentKind, runId: string): Promise<string> {
    const version = await this.#versionOf(agent);
    const hasSettings = this.#settingsOf(agent, version, runId) !== null;
    return this.#flags(version, hasSettings ? runId : null, MODE_PLACEHOLDER);
  }

  /** Whether the permissions of a loop can be chosen at all. */
  async takesPermissions(agent: AgentKind): Promise<boolean> {
    return takesMode(await this.#versionOf(agent));
  }

  /**
   * The run is over. Its files are removed after its last hooks, or kept as long as its agent
   * lives.
   */
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
      // A full disk: the daemon's next start removes unknown runs.
    }
  }

  /** The next daemon removes the rest. */
  dispose(): void {
    for (const removal of this.#removals.values()) removal.cancel();
  }

  /** Removes the files of agents that have ended since. */
  sweep(): void {
    for (const runId of this.#runIds()) {
      const agent = this.#agentOf(runId);
      if (agent !== null && !isAlive(agent)) this.#remove(runId);
    }
  }

  /** At the start of the daemon: removes the files of all other runs. */
  keepOnly(runIds: ReadonlySet<string>): void {
    for (const runId of this.#runIds()) {
      if (!runIds.has(runId) && this.#agentOf(runId) === null) this.#remove(runId);
    }
    this.sweep();
  }

  /** The run whose client that is, where the client stayed open after its loop. */
  runOf(client: ProcessIdentity): string | null {
    const isClient = (runId: string) => {
      const agent = this.#agentOf(runId);
      return agent !== null && isSameProcess(agent, client);
    };
    return this.#runIds().find(isClient) ?? null;
  }

  /** Where its client's newest status line is kept, if it keeps one. */
  statusLineFile(runId: string): string {
    return join(this.#of(runId), STATUS_LINE_FILE);
  }

  /** On the command line of a run's client, and of a client that inherited its settings. */
  commandTextsOf(runId: string): string[] {
    const file = join(this.#of(runId), SETTINGS_FILE);
    return [`\0--settings\0${file}\0`, `\0--settings=${file}\0`];
  }

  /** Null for a client not known to accept any, and for paths that cannot be typed. */
  #settingsOf(agent: AgentKind, version: ClientVersion | null, runId: string): HookSettings | null {
    const directory = this.#of(runId);
    if (!isQuotable(join(directory, SETTINGS_FILE))) return null;
    // The stand-in shows no status line, so it replaces none.
    const isFree = agent === 'stand-in' || !hasOwnStatusLine(this.#options.environment);
    return hookSettings(version, {
      node: process.execPath,
      relay: join(packageRoot(), 'dist/server/agents/hooks/hook-relay.js'),
      runFile: join(directory, HOOK_FILE),
      statusLineFile: isFree ? this.statusLineFile(runId) : null,
    });
  }

  /** `runId` is null without files. The plugin is handed over only where the loop is ours. */
  #flags(version: ClientVersion | null, runId: string | null, mode: string | null): string {
    const settings = runId === null ? '' : `--settings "${join(this.#of(runId), SETTINGS_FILE)}"`;
    const plugin = this.#options.loop === 'loopwatch' ? pluginFlag(version) : '';
    return [settings, modeFlag(version, mode), plugin].filter((flag) => flag !== '').join(' ');
  }

  async #versionOf(agent: AgentKind): Promise<ClientVersion | null> {
    // Our own stand-in accepts what the newest client accepts.
    if (agent === 'stand-in') return NEWEST_TESTED;
    const { versions, program } = this.#options;
    return parseClientVersion((await versions.of(program)) ?? '');
  }

  #remove(runId: string): void {
    this.#removals.delete(runId);
    try {
      rmSync(this.#of(runId), { recursive: true, force: true });
    } catch {
      // The daemon's next start retries.
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
