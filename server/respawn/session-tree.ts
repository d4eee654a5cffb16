/**
 * What changed in a session's directory since respawn began to count: commits, and changed files. A
 * file counts again each time it has changed again. Runs git only when asked.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Git, GitAt } from '../worktrees/git/git.ts';

export interface TreeCounts {
  commits: number;
  files: number;
}

/** A working tree with more changed files than this is counted up to here. */
const MAX_FILES = 2_000;

export class SessionTree {
  readonly #git: Pick<Git, 'find'>;
  readonly #directory: string;
  /** The commit it began with; empty in a repository without one. */
  #base: string | null = null;
  #files = 0;
  #seen: Map<string, string> | null = null;

  constructor(directory: string, git: Pick<Git, 'find'>) {
    this.#directory = directory;
    this.#git = git;
  }

  /** Null where it cannot be determined: no repository, no git, or it does not answer. */
  async count(): Promise<TreeCounts | null> {
    try {
      const git = await this.#git.find(this.#directory);
      return git === null ? null : await this.#count(git);
    } catch {
      return null;
    }
  }

  async #count(git: GitAt): Promise<TreeCounts> {
    const head = (await git.ask(['rev-parse', '--verify', '--quiet', 'HEAD'])) ?? '';
    this.#base ??= head;
    const range = this.#base === '' ? head : `${this.#base}..${head}`;
    const commits = head === '' ? '0' : await git.run(['rev-list', '--count', range, '--']);
    const status = await git.run(['status', '--porcelain', '-z', '--no-renames'], {
      limit: 'list',
    });
    const paths = status.split('\0').filter((line) => line.length > 3);
    const now = new Map(
      paths
        .slice(0, MAX_FILES)
        .map((line) => [line.slice(3), markOf(join(git.place.top, line.slice(3)))]),
    );
    const before = this.#seen;
    if (before !== null) {
      this.#files += [...now].filter(([path, mark]) => before.get(path) !== mark).length;
    }
    this.#seen = now;
    return { commits: Number(commits.trim()), files: this.#files };
  }
}

/** Changes with the file; empty for one that is gone. */
function markOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}
