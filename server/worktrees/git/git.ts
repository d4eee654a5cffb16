/**
 * Runs git in untrusted repositories; nothing else does. Git reads the settings of this machine and
 * person, and of the repository only the known ones (git-front.ts): no hook, monitor or driver of
 * the repository is run. Of this process's environment, only what is listed here reaches git; and
 * it never connects to another machine.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withUserUmask } from '../../lib/files/user-umask.ts';
import { AppError, messageOf } from '../../lib/app-error.ts';
import { execFile, type ExecResult } from '../../lib/processes/exec-file.ts';
import { gitFailed } from './git-failed.ts';
import { makeFront, makeShared } from './git-front.ts';
import { findGitLocation, type GitLocation } from './git-location.ts';
import { requireGitVersion } from './git-version.ts';
import { isTrue, knownSettings, parseSettings, type Setting } from './known-settings.ts';

/**
 * Milliseconds after which git is killed, by the amount of work. `content`: it opens every file or
 * object of a whole tree. A hundred thousand of them take seconds on a machine at rest, and ten
 * times that on a slow disk next to agents that compile.
 */
export const GIT_LIMITS = {
  content: 120_000,
  change: 30_000,
  list: 10_000,
  query: 5_000,
} as const;
export type GitLimit = keyof typeof GIT_LIMITS;

export interface GitOptions {
  /** `query` by default. */
  limit?: GitLimit;
  /** Added to git's environment. */
  env?: Record<string, string>;
  input?: string;
  /** `latin1` for names that need not be text: each character is one byte. */
  encoding?: 'utf8' | 'latin1';
  maxOutputBytes?: number;
}

/** Passed on from the daemon's environment: git finds itself, and the user's own settings. */
const PASSED_ON = ['HOME', 'PATH', 'XDG_CONFIG_HOME'] as const;

const HARDENED = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.ignoreStat=false',
  // A repository’s own settings must not hide changes, nor stop git because of line endings.
  'core.checkStat=default',
  'core.trustctime=true',
  'core.safecrlf=false',
  'status.showUntrackedFiles=normal',
  'core.untrackedCache=false',
  'commit.gpgSign=false',
  'submodule.recurse=false',
  'safe.bareRepository=explicit',
  'protocol.ext.allow=never',
  'gc.auto=0',
];

/** Far more than a repository with many branches has. */
const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;
/** Repositories list tens of thousands of files. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export class Git {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #program: string;
  readonly #fronts: string;
  #version: Promise<void> | null = null;
  /** By common directory: most commands find the text of last time, which needs no process. */
  readonly #settings = new Map<string, { input: string; settings: Setting[] }>();

  /** Of `environment` only a few settings are passed on; `fronts` is the daemon's own directory. */
  constructor(options: { environment: NodeJS.ProcessEnv; fronts: string; program?: string }) {
    this.#program = options.program ?? 'git';
    this.#fronts = options.fronts;
    this.#environment = {
      ...Object.fromEntries(PASSED_ON.map((name) => [name, options.environment[name]])),
      LANG: 'C.UTF-8',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      // A list of allowed protocols; none is called that.
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_NO_LAZY_FETCH: '1',
      // Commits count as they are: replacement objects only pretend to hold something.
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_GRAFT_FILE: '/dev/null/none',
    };
  }

  /** Git in a directory of a repository. Throws `git_too_old` or `git_failed`. */
  async at(directory: string): Promise<GitAt> {
    const found = await this.find(directory);
    if (found !== null) return found;
    const next = 'restore its .git, then try again';
    throw new AppError('git_failed', `${directory} is not in a git repository; ${next}`);
  }

  /** The same, but null where there is no repository with a working tree. */
  async find(directory: string): Promise<GitAt | null> {
    await this.#requireVersion();
    const found = findGitLocation(directory);
    if (found === null) return null;
    const place = { ...found, commonDirectory: realpathSync(found.commonDirectory) };
    const settings = await this.#settingsOf(place.commonDirectory);
    const isLinked = realpathSync(place.gitDirectory) !== place.commonDirectory;
    if (!isLinked && isTrue(settings, 'core.bare')) return null;
    const front = makeFront(this.#fronts, place.commonDirectory, knownSettings(settings));
    const env = {
      GIT_DIR: place.gitDirectory,
      GIT_COMMON_DIR: front,
      GIT_WORK_TREE: place.top,
    };
    return new GitAt(directory, { ...place, isLinked }, this.#execute.bind(this), env);
  }

  /** As text from its own file only: includes are not followed. */
  async #settingsOf(commonDirectory: string): Promise<Setting[]> {
    const input = readSettings(join(commonDirectory, 'config'));
    const known = this.#settings.get(commonDirectory);
    if (known?.input === input) return known.settings;
    const args = ['config', '--file', '-', '--no-includes', '--list', '-z'];
    const listed = await this.#execute('/', args, { input });
    if (!listed.ok) throw gitFailed(commonDirectory, ['config'], listed);
    const settings = parseSettings(listed.stdout);
    this.#settings.set(commonDirectory, { input, settings });
    return settings;
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
    const options = {
      cwd,
      env: { ...this.#environment, ...env },
      timeoutMs: GIT_LIMITS[limit],
      // A checkout or a reset is its own program, which may hang on a file that is not regular.
      ownGroup: true,
      maxOutputBytes,
      ...others,
    };
    const words = [...HARDENED.flatMap((line) => ['-c', line]), ...args];
    return withUserUmask(async () => execFile(this.#program, words, options));
  }
}

type Execute = (
  directory: string,
  args: readonly string[],
  options: GitOptions,
) => Promise<ExecResult>;

/** Git in one directory of a repository. */
export class GitAt {
  readonly directory: string;
  readonly place: GitLocation & { isLinked: boolean };
  readonly #execute: Execute;
  readonly #env: Record<string, string>;
  readonly #overrides: readonly string[];

  constructor(
    directory: string,
    place: GitAt['place'],
    execute: Execute,
    env: Record<string, string>,
    overrides: readonly string[] = [],
  ) {
    this.directory = directory;
    this.place = place;
    this.#execute = execute;
    this.#env = env;
    this.#overrides = overrides;
  }

  /** The main worktree. */
  get root(): string {
    return dirname(this.place.commonDirectory);
  }

  /** Runs git and returns any result. Never throws. */
  async attempt(args: readonly string[], options: GitOptions = {}): Promise<ExecResult> {
    if (options.limit === 'change') makeShared(this.place.commonDirectory);
    const env = { ...this.#env, ...options.env };
    return this.#execute(this.directory, [...this.#overrides, ...args], { ...options, env });
  }

  /**
   * Git in the same worktree that sees everything that exists, regardless of the repository’s own
   * settings about letter case and sparse checkouts.
   */
  seeingAll(): GitAt {
    const isCaseBlind = existsSync(join(this.directory, '.GIT'));
    const overrides = ['-c', `core.ignoreCase=${isCaseBlind}`, '-c', 'core.sparseCheckout=false'];
    return new GitAt(this.directory, this.place, this.#execute, this.#env, overrides);
  }

  /** Git's output. Throws `git_failed` with git's own message. */
  async run(args: readonly string[], options: GitOptions = {}): Promise<string> {
    const result = await this.attempt(args, options);
    if (!result.ok) throw gitFailed(this.directory, args, result);
    return result.stdout;
  }

  /** Git's output, trimmed, or null when it answers no (exit code 1). Throws `git_failed`. */
  async ask(args: readonly string[], options: GitOptions = {}): Promise<string | null> {
    const result = await this.attempt(args, options);
    if (result.ok) return result.stdout.trim();
    if (result.code === 1) return null;
    throw gitFailed(this.directory, args, result);
  }
}

/** A file that is not regular, or is huge, is refused before it is opened. */
function readSettings(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return '';
    if (stat.isFile() && stat.size <= MAX_SETTINGS_BYTES) return readFileSync(file, 'utf8');
    throw new Error('it is not a file, or is larger than 4 MiB');
  } catch (error) {
    const next = 'fix this, then try again';
    throw new AppError('git_failed', `cannot read ${file}: ${messageOf(error)}; ${next}`);
  }
}
