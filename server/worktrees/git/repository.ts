/** Which repository a directory belongs to. */
import { basename, resolve } from 'node:path';
import type { GitBranches } from '../../../shared/schema/tasks/project.ts';
import { AppError } from '../../lib/app-error.ts';
import { isBelow, realDirectory } from '../../lib/files/real-directory.ts';
import { findUnusableGit } from './git-location.ts';
import type { Git, GitAt } from './git.ts';

export interface Repository {
  /** Real path of the main worktree. */
  root: string;
  /** Git in the named directory, which may be deep in the repository, or in a linked worktree. */
  here: GitAt;
}

export type BranchKind = 'local' | 'remote' | 'all';

export interface RepositoryFacts {
  /** Real path of the main worktree. */
  root: string;
  /** The address of its remote, without a password. */
  remote: string | null;
  /** The branch it is on, if any. */
  branch: string | null;
}

/** Of the repository of a directory, or null. Throws as `findRepository`. */
export async function repositoryFacts(
  git: Git,
  path: string,
  roots: readonly string[] | null,
): Promise<RepositoryFacts | null> {
  const found = await findRepository(git, path, roots);
  if (found === null) return null;
  const { root, here } = found;
  return { root, remote: await remoteOf(here), branch: await currentBranch(here) };
}

/**
 * The repository of a directory, or null in a plain one. Throws `project_missing`, `outside_roots`,
 * `not_a_repository` for one that is bare or damaged, or whose git directory is not `.git` of its
 * main worktree, `git_too_old` or `git_failed`.
 */
async function findRepository(
  git: Git,
  path: string,
  roots: readonly string[] | null,
): Promise<Repository | null> {
  const directory = realDirectory(path)?.path;
  if (directory === undefined) {
    // For a path outside the roots, not even its existence is disclosed.
    requireBelow(resolve(path), path, roots);
    throw new AppError('project_missing', `${path} is not a directory; create it first`);
  }
  requireBelow(directory, path, roots);
  const here = await git.find(directory);
  if (here === null) {
    requirePlain(directory, path);
    return null;
  }
  const { commonDirectory, isLinked } = here.place;
  const { root } = here;
  if (basename(commonDirectory) !== '.git' || (!isLinked && !isBelow(directory, [root]))) {
    throw new AppError(
      'not_a_repository',
      `${path} keeps its git directory in ${commonDirectory}: a submodule or a bare repository; choose a repository with its own .git`,
    );
  }
  if (/[\r\n]/.test(root)) {
    // Git lists its worktrees by lines, and would find none there again.
    const next = 'rename that directory, then try again';
    throw new AppError(
      'not_a_repository',
      `${JSON.stringify(root)} contains a line break; ${next}`,
    );
  }
  requireBelow(root, path, roots);
  return { root, here };
}

/** The same, but a directory without a repository throws `not_a_repository`. */
export async function requireRepository(
  git: Git,
  path: string,
  roots: readonly string[] | null,
): Promise<Repository> {
  const repository = await findRepository(git, path, roots);
  if (repository !== null) return repository;
  throw new AppError(
    'not_a_repository',
    `${path} is not in a git repository; run “git init” there`,
  );
}

/** Null when it is on no branch. */
export async function currentBranch(git: GitAt): Promise<string | null> {
  // Not `--short`: that is another name where a tag has the same one.
  const ref = await git.ask(['symbolic-ref', '--quiet', 'HEAD']);
  return ref?.replace(/^refs\/heads\//, '') ?? null;
}

/** The address of `origin`, or else of the first remote, or null. */
async function remoteOf(git: GitAt): Promise<string | null> {
  const found = await git.ask(['config', '-z', '--get-regexp', '^remote\\..*\\.url$']);
  const remotes = (found ?? '').split('\0').filter((line) => line !== '');
  const chosen = remotes.find((line) => line.startsWith('remote.origin.url\n')) ?? remotes[0];
  const address = chosen?.slice(chosen.indexOf('\n') + 1);
  // The part before the host may contain a password.
  return address?.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1') ?? null;
}

/** Sorted, each once, those of remotes without the remote's name. Throws `git_failed`. */
export async function listBranches(git: GitAt, kind: BranchKind): Promise<GitBranches> {
  const places = { local: ['heads'], remote: ['remotes'], all: ['heads', 'remotes'] }[kind];
  const listing = await git.run(
    ['for-each-ref', '--format=%(refname)%00%(symref)', ...places.map((place) => `refs/${place}/`)],
    { limit: 'list' },
  );
  const names = listing.split('\n').flatMap((line) => {
    const [ref = '', alias] = line.split('\0');
    // The HEAD of a remote is another name for one of its branches.
    return ref === '' || (alias !== '' && ref.startsWith('refs/remotes/')) ? [] : [nameOf(ref)];
  });
  return { current_branch: await currentBranch(git), branches: [...new Set(names)].sort() };
}

function requireBelow(real: string, path: string, roots: readonly string[] | null): void {
  if (roots === null || isBelow(real, roots)) return;
  throw new AppError('outside_roots', `${path} is outside the roots ${roots.join(', ')}`);
}

/** Work in a git directory, or next to a damaged one, would harm what is left of the repository. */
function requirePlain(directory: string, path: string): void {
  const found = findUnusableGit(directory);
  if (found === null) return;
  throw new AppError(
    'not_a_repository',
    found.isDamaged
      ? `${found.path} is damaged, and git finds no repository there; restore it, or move it away to work without git`
      : `${path} is in ${found.path}, a bare repository or git directory; choose a directory of a clone of it`,
  );
}

function nameOf(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, '');
}
