/** The directories a loop may be started on: below the roots, one level at a time. */
import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  type Directory,
  type DirectoryListing,
  type DirectoryQuery,
  MAX_DIRECTORIES,
} from '../../shared/schema/modules/directories.ts';
import type { Loop, Session } from '../../shared/schema/model.ts';
import { AppError, systemCode } from '../lib/app-error.ts';
import { directoryNames } from '../lib/files/directory-names.ts';
import { isBelow, type RealDirectory, realDirectory } from '../lib/files/real-directory.ts';

/** Read in parallel: the thread pool is small, and others need it too. */
const AT_ONCE = 16;

/** Queried for each listing. */
export interface InUse {
  sessions: readonly Pick<Session, 'name' | 'cwd'>[];
  loops: readonly Loop[];
}

export class Directories {
  readonly #roots: readonly string[];
  readonly #inUse: () => InUse;
  readonly #isStartable: (realPath: string) => boolean;

  /** `isStartable`: a loop could work on that directory. */
  constructor(options: {
    roots: readonly string[];
    inUse: () => InUse;
    isStartable: (realPath: string) => boolean;
  }) {
    this.#roots = options.roots;
    this.#inUse = options.inUse;
    this.#isStartable = options.isStartable;
  }

  /**
   * The content of a directory, or the roots without one. Throws `outside_roots`,
   * `directory_missing` and `directory_unreadable`.
   */
  async list({ path, match, hidden }: DirectoryQuery): Promise<DirectoryListing> {
    const inUse = this.#inUse();
    if (path === undefined) {
      const directories = await this.#describe([...this.#roots], inUse);
      return { here: null, parent: null, directories, cut: false };
    }
    const directory = this.#require(path);
    const wanted = match.toLowerCase();
    const wants = (name: string) =>
      (hidden || !name.startsWith('.')) && name.toLowerCase().includes(wanted);
    const { names, cut } = await read(directory.path, wants);
    const [here] = await this.#describe([directory.path], inUse);
    const paths = names.map((name) => join(directory.path, name));
    const directories = await this.#describe(paths, inUse);
    // Another directory may have replaced it while it was read.
    if (realDirectory(directory.path)?.identity !== directory.identity) throw missing(path);
    const above = dirname(directory.path);
    const parent = above !== directory.path && isBelow(above, this.#roots) ? above : null;
    return { here: here ?? null, parent, directories, cut };
  }

  #require(path: string): RealDirectory {
    const directory = realDirectory(path);
    // For a path outside the roots, not even its existence is disclosed.
    const place = directory?.path ?? resolve(path);
    if (!isBelow(place, this.#roots) && !(directory === null && this.#isNamedBelow(place))) {
      throw new AppError('outside_roots', `${path} is outside the roots ${this.#roots.join(', ')}`);
    }
    if (directory === null) throw missing(path);
    return directory;
  }

  /** A root may be named by a link, and a missing path has no real path to compare. */
  #isNamedBelow(path: string): boolean {
    return this.#roots.some((root) => path.startsWith(join(root, '/')));
  }

  /** Skips paths that are not, or no longer, directories. */
  async #describe(paths: readonly string[], inUse: InUse): Promise<Directory[]> {
    const found: (Directory | null)[] = [];
    for (let start = 0; start < paths.length; start += AT_ONCE) {
      const next = paths.slice(start, start + AT_ONCE);
      found.push(...(await Promise.all(next.map(async (path) => this.#describeOne(path, inUse)))));
    }
    return found.filter((directory) => directory !== null);
  }

  async #describeOne(path: string, inUse: InUse): Promise<Directory | null> {
    const real = realDirectory(path)?.path;
    if (real === undefined) return null;
    const unknown = { name: basename(path) || path, path, git: null, task: null, startable: false };
    const unused = { session: null, loop: null };
    if (!isBelow(real, this.#roots)) return { ...unknown, ...unused, access: 'outside' };
    const canBeRead = await access(real, constants.R_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!canBeRead) return { ...unknown, ...unused, access: 'unreadable' };
    const [git, target, tasks] = await Promise.all(
      ['.git', '.target.md', 'AiTasks'].map(async (name) => kindOf(join(real, name))),
    );
    const loop = inUse.loops.find(({ task_dir }) => task_dir === real);
    return {
      ...unknown,
      access: 'open',
      git: git === 'directory' ? 'repository' : git === 'file' ? 'worktree' : null,
      task: target === 'file' ? 'task' : tasks === 'directory' ? 'tasks' : null,
      startable: this.#isStartable(real),
      session: inUse.sessions.find(({ cwd }) => cwd === real)?.name ?? null,
      loop: loop === undefined ? null : { session_name: loop.session_name, status: loop.status },
    };
  }
}

async function read(path: string, wants: (name: string) => boolean) {
  try {
    return await directoryNames(path, { limit: MAX_DIRECTORIES, wants });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw missing(path);
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    const next = 'grant the daemon’s user access, or choose another';
    throw new AppError('directory_unreadable', `${path} cannot be read; ${next}`);
  }
}

function missing(path: string): AppError {
  return new AppError('directory_missing', `${path} is not a directory or no longer exists`);
}

async function kindOf(path: string): Promise<'file' | 'directory' | null> {
  const stat = await lstat(path).catch(() => null);
  if (stat?.isDirectory() === true) return 'directory';
  return stat?.isFile() === true ? 'file' : null;
}
