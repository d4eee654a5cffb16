/** Worktrees of real repositories, on a real database, without a daemon. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProjectSetup } from '../../../shared/schema/tasks/project-setup.ts';
import { AppError } from '../../../server/lib/app-error.ts';
import { Git } from '../../../server/worktrees/git/git.ts';
import { WorktreeStore } from '../../../server/worktrees/worktree-store.ts';
import { Worktrees } from '../../../server/worktrees/worktrees.ts';
import { EventHome } from '../events/event-home.ts';
import { makeOnce } from './git-repository.ts';
import { TEST_ROOT } from '../house/test-root.ts';
import { endProcess, gitIn } from '../daemon/world-processes.ts';

/** What is absent is left to the daemon. */
export interface WorktreeSpec {
  branch?: string;
  base?: string;
  repository?: string;
}

export class WorktreeStage {
  readonly root = realpathSync(mkdtempSync(join(TEST_ROOT, 'w')));
  readonly home = new EventHome();
  readonly repository: string;
  /** The daemon's environment. */
  readonly environment: NodeJS.ProcessEnv;
  readonly warnings: unknown[] = [];
  worktrees!: Worktrees;
  store!: WorktreeStore;
  /** Of every repository. */
  setup: ProjectSetup | null = null;
  log!: ReturnType<EventHome['open']>['log'];

  constructor(program = 'git') {
    const home = join(this.root, 'user');
    mkdirSync(home);
    this.environment = { HOME: home, PATH: process.env['PATH'] };
    this.repository = this.makeRepository('repo');
    this.restart(program);
  }

  /** As a daemon that restarts. */
  restart(program = 'git'): void {
    const { database, log } = this.home.open();
    this.log = log;
    this.store = new WorktreeStore(database);
    const say = () => undefined;
    this.worktrees = new Worktrees({
      git: new Git({ environment: this.environment, fronts: join(this.home.path, 'git'), program }),
      store: this.store,
      log,
      clock: this.home.clock,
      roots: [this.root],
      logger: { info: say, error: say, warn: (fields: unknown) => void this.warnings.push(fields) },
      scratch: this.scratch,
      setupOf: () => this.setup,
      environment: this.environment,
      markName: 'SETUP_OF',
    });
  }

  get scratch(): string {
    return join(this.home.path, 'scratch');
  }

  /** A repository with one commit on `main`. */
  makeRepository(name: string): string {
    const directory = join(this.root, name);
    mkdirSync(directory, { recursive: true });
    return makeOnce('hello', directory, (empty) => {
      this.git(empty, 'init', '-q', '-b', 'main');
      this.write(empty, 'README', 'hello\n');
      this.commit(empty, 'begin');
    });
  }

  /** Runs git as a person would; returns its output. */
  git(directory: string, ...args: string[]): string {
    const who = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org'];
    const env = { ...this.environment, LANG: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1' };
    const options = { cwd: directory, env, encoding: 'utf8' as const, stdio: 'pipe' as const };
    return execFileSync('git', [...who, ...args], options).trim();
  }

  commit(directory: string, words: string): string {
    this.git(directory, 'add', '-A');
    this.git(directory, 'commit', '-q', '--allow-empty', '-m', words);
    return this.git(directory, 'rev-parse', 'HEAD');
  }

  write(directory: string, path: string, content: string): void {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }

  request(name: string, { branch, base, repository }: WorktreeSpec = {}) {
    const place = repository ?? this.repository;
    return { repository: place, name, branch: branch ?? null, base: base ?? null };
  }

  async create(name: string, wish: WorktreeSpec = {}) {
    const [made] = await this.worktrees.create(name, name, [this.request(name, wish)]);
    if (made === undefined) throw new Error('nothing was made');
    return made;
  }

  async restore(name: string, wish: WorktreeSpec = {}) {
    const [made] = await this.worktrees.restore(name, name, [this.request(name, wish)]);
    if (made === undefined) throw new Error('nothing was restored');
    return made;
  }

  async remove(name: string, branch: 'keep' | 'keep_unmerged' = 'keep_unmerged') {
    return this.worktrees.remove(name, name, { branch });
  }

  /** Every object reachable from a ref. */
  held(repository = this.repository): Set<string> {
    const listing = this.git(repository, 'rev-list', '--all', '--objects');
    return new Set(listing.split('\n').map((line) => line.slice(0, 40)));
  }

  /** Whether that content is in an object reachable from a ref. */
  holds(content: string, repository = this.repository): boolean {
    const file = join(this.root, 'content');
    writeFileSync(file, content);
    return this.held(repository).has(this.git(repository, 'hash-object', '--no-filters', file));
  }

  backups(repository = this.repository): string[] {
    const listing = this.git(
      repository,
      'for-each-ref',
      '--format=%(refname)',
      'refs/loopwatch/backup',
    );
    return listing.split('\n').filter((line) => line !== '');
  }

  branches(repository = this.repository): string[] {
    const listing = this.git(repository, 'for-each-ref', '--format=%(refname:short)', 'refs/heads');
    return listing.split('\n').filter((line) => line !== '');
  }

  /** Paths that git counts as worktrees besides the main one. */
  listed(repository = this.repository): string[] {
    const listing = this.git(repository, 'worktree', 'list', '--porcelain').split('\n');
    const paths = listing.filter((line) => line.startsWith('worktree '));
    return paths.slice(1).map((line) => line.slice('worktree '.length));
  }

  /** The worktree events of the log: action and branch. */
  events(): string[] {
    return this.log
      .read(0, 1000)
      .map(({ json }) => JSON.parse(json) as { type: string; data: Record<string, string> })
      .filter(({ type }) => type === 'task.worktree')
      .map(({ data }) => `${data['action']} ${data['branch']}`);
  }

  read(directory: string, path: string): string {
    return readFileSync(join(directory, path), 'utf8');
  }

  [Symbol.dispose](): void {
    this.home[Symbol.dispose]();
    // A git whose parent was killed still writes, and creates what is missing on the way.
    for (const pid of gitIn(this)) endProcess(pid);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The code of the refusal, and its message. */
export async function refusedWith(
  act: Promise<unknown>,
): Promise<{ code: string; message: string }> {
  try {
    await act;
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
  return { code: 'none', message: 'it was not refused' };
}
