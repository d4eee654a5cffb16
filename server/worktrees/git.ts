/**
 * Runs git for a repository that nobody vouches for. Its hooks, its monitor, and the drivers that its
 * own configuration names are never run; nothing of this process's environment reaches git but what
 * is listed here; and it never talks to another machine.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../lib/app-error.ts';
import { execFile, type ExecResult } from '../lib/exec-file.ts';
import { quieten } from './foreign-drivers.ts';
import { requireGitVersion } from './git-version.ts';
import { oneLine } from '../../shared/plain-text.ts';

/** Milliseconds after which git is killed, by how much it has to do. */
export const GIT_LIMITS = { change: 30_000, list: 10_000, query: 5_000 } as const;
export type GitLimit = keyof typeof GIT_LIMITS;

export interface GitOptions {
  /** `query` unless told. */
  limit?: GitLimit;
  /** Added to what git's environment holds. */
  env?: Record<string, string>;
  input?: string;
  /** `latin1` for names that need not be text: each character is one byte. */
  encoding?: 'utf8' | 'latin1';
  maxOutputBytes?: number;
}

/** What is handed on from the daemon's environment: git finds itself, and the user's own settings. */
const HANDED_ON = ['HOME', 'PATH', 'XDG_CONFIG_HOME'] as const;

const HARDENED = [
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.pager=cat',
    'core.ignoreStat=false',
  ],
  // A repository’s own settings shall not hide changes, nor stop git for the ends of lines.
  ...['core.checkStat=default', 'core.trustctime=true', 'core.safecrlf=false'],
  'status.showUntrackedFiles=normal',
  ...['core.untrackedCache=false', 'commit.gpgSign=false', 'submodule.recurse=false'],
  ...['safe.bareRepository=explicit', 'protocol.ext.allow=never', 'gc.auto=0'],
];

/** Repositories list tens of thousands of files. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export class Git {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #program: string;
  #version: Promise<void> | null = null;

  /** Takes the environment of which a few settings are handed on, and the program. */
  constructor(options: { environment: NodeJS.ProcessEnv; program?: string }) {
    this.#program = options.program ?? 'git';
    this.#environment = {
      ...Object.fromEntries(HANDED_ON.map((name) => [name, options.environment[name]])),
      LANG: 'C.UTF-8',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      // A list of what may be talked to; nothing is called that.
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_NO_LAZY_FETCH: '1',
      // Commits count as they are: what only seems to be held is not.
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_GRAFT_FILE: '/dev/null/none',
    };
  }

  /**
   * Takes a directory; gives git working there, with the drivers of that repository's own
   * configuration switched off as they stand now. Throws `git_too_old` or `git_failed`.
   */
  async at(directory: string): Promise<GitAt> {
    await this.#requireVersion();
    const pattern = '^(filter|merge|diff|hook)\\.';
    const found = await this.#execute(
      directory,
      ['config', '--show-scope', '--includes', '--name-only', '-z', '--get-regexp', pattern],
      {},
    );
    if (!found.ok && found.code !== 1) throw gitFailed(directory, ['config'], found);
    return new GitAt(directory, quieten(found.ok ? found.stdout : ''), this.#execute.bind(this));
  }

  async #requireVersion(): Promise<void> {
    this.#version ??= this.#execute('/', ['version'], {}).then((answer) => {
      if (!answer.ok) throw gitFailed('/', ['version'], answer);
      requireGitVersion(answer.stdout);
    });
    try {
      await this.#version;
    } catch (error) {
      // It may be installed by the next time.
      this.#version = null;
      throw error;
    }
  }

  async #execute(
    cwd: string,
    args: readonly string[],
    { limit = 'query', env = {}, maxOutputBytes = MAX_OUTPUT_BYTES, ...others }: GitOptions,
  ): Promise<ExecResult> {
    return execFile(this.#program, [...HARDENED.flatMap((line) => ['-c', line]), ...args], {
      cwd,
      env: { ...this.#environment, ...env },
      timeoutMs: GIT_LIMITS[limit],
      maxOutputBytes,
      ...others,
    });
  }
}

type Execute = (
  directory: string,
  args: readonly string[],
  options: GitOptions,
) => Promise<ExecResult>;

/** Git in one directory. */
export class GitAt {
  readonly directory: string;
  readonly #overrides: readonly string[];
  readonly #execute: Execute;
  readonly #env: Record<string, string>;

  constructor(
    directory: string,
    overrides: readonly string[],
    execute: Execute,
    env: Record<string, string> = {},
  ) {
    this.directory = directory;
    this.#overrides = overrides;
    this.#execute = execute;
    this.#env = env;
  }

  /** Runs git whatever comes of it. Never throws. */
  async attempt(args: readonly string[], options: GitOptions = {}): Promise<ExecResult> {
    const env = { ...this.#env, ...options.env };
    return this.#execute(this.directory, [...this.#overrides, ...args], { ...options, env });
  }

  /**
   * Git in the same directory, a worktree, of which all counts that stands there: whatever the
   * repository’s own settings say of where it lies, of letters, and of what shall not be there.
   */
  seeingAll(): GitAt {
    const isCaseBlind = existsSync(join(this.directory, '.GIT'));
    const settings = [`core.ignoreCase=${isCaseBlind}`, 'core.sparseCheckout=false'];
    const overrides = [...this.#overrides, ...settings.flatMap((setting) => ['-c', setting])];
    return new GitAt(this.directory, overrides, this.#execute, { GIT_WORK_TREE: this.directory });
  }

  /** Git in the same directory, where it will also work inside that other one. */
  reaching(other: GitAt): GitAt {
    const overrides = [...this.#overrides, ...other.#overrides];
    return new GitAt(this.directory, overrides, this.#execute);
  }

  /** Gives what git says. Throws `git_failed` with git's own words. */
  async run(args: readonly string[], options: GitOptions = {}): Promise<string> {
    const result = await this.attempt(args, options);
    if (!result.ok) throw gitFailed(this.directory, args, result);
    return result.stdout;
  }

  /** Gives what git says, trimmed, or null when it answers no (exit code 1). Throws `git_failed`. */
  async ask(args: readonly string[], options: GitOptions = {}): Promise<string | null> {
    const result = await this.attempt(args, options);
    if (result.ok) return result.stdout.trim();
    if (result.code === 1) return null;
    throw gitFailed(this.directory, args, result);
  }
}

type Failure = Extract<ExecResult, { ok: false }>;

/** Takes what was run where, and how it failed; gives the error with git's words and a next step. */
export function gitFailed(directory: string, args: readonly string[], failure: Failure): AppError {
  const command = `git ${args[0] ?? ''}`;
  if (failure.code === 'ENOENT') {
    return existsSync(directory)
      ? new AppError('git_failed', 'git was not found; install it (package “git”), then try again')
      : new AppError('git_failed', `${directory} is gone; ${command} cannot run there`);
  }
  if (failure.timedOut) {
    const next = `see what keeps it busy in ${directory}, then try again`;
    return new AppError('git_failed', `${command} took too long and was ended; ${next}`);
  }
  const words = wordsOf(failure) || `it ended with ${String(failure.code)}`;
  const next = `set that right in ${directory}, then try again`;
  return new AppError('git_failed', `${command}: ${words}; ${next}`);
}

/** Takes how git failed; gives the first three lines it said, as one. */
export function wordsOf({ stderr }: Failure): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return oneLine(lines.slice(0, 3).join(' · '), 500);
}
