/** Names of branches: which ones git accepts, which one is meant, and where a new one begins. */
import { AppError } from '../../lib/app-error.ts';
import type { GitAt } from './git.ts';
import { currentBranch } from './repository.ts';

/** An existing branch, or one to be created at a commit. */
export interface ChosenBranch {
  branch: string;
  exists: boolean;
  base: string;
  baseCommit: string;
}

/** The branch of a worktree: as asked, or named after its owner. */
export function branchOf({ branch, name }: { branch: string | null; name: string }): string {
  return branch ?? `task/${name}`;
}

/**
 * `git` is in the named directory; `base` is where the branch begins (null: the branch of that name
 * at `origin`, or where the directory is). Names are compared whole. Throws `invalid_body`,
 * `branch_missing`, `branch_in_use`, `worktree_failed` in a repository without commits, or
 * `git_failed`.
 */
export async function chooseBranch(
  git: GitAt,
  branch: string,
  base: string | null,
): Promise<ChosenBranch> {
  await requireName(git, branch);
  if (base !== null) requirePlain(base);
  const tip = await commitOf(git, `refs/heads/${branch}`);
  const remote = `refs/remotes/origin/${branch}`;
  // An existing branch can be used again long after its base was deleted.
  const given = base === null ? null : await findBase(git, base, tip !== null);
  const from =
    given !== null
      ? given
      : tip === null && (await commitOf(git, remote)) !== null
        ? { name: `origin/${branch}`, ref: remote }
        : await currentHead(git);
  const commit = await commitOf(git, from.ref);
  if (commit === null) {
    const next = 'create a first commit there, then try again';
    throw new AppError('worktree_failed', `${git.directory} has no commit yet; ${next}`);
  }
  if (tip === null) {
    await requireRoom(git, branch);
    return { branch, exists: false, base: from.name, baseCommit: commit };
  }
  const shared = await git.ask(['merge-base', commit, tip]);
  return { branch, exists: true, base: from.name, baseCommit: shared ?? tip };
}

/** The commit of a full ref name or of `HEAD`, or null. */
export async function commitOf(git: GitAt, ref: string): Promise<string | null> {
  return git.ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
}

/** The current commit of a stored base, or null when it no longer exists. */
export async function baseNow(git: GitAt, base: string): Promise<string | null> {
  for (const ref of placesOf(base)) {
    const commit = await commitOf(git, ref);
    if (commit !== null) return commit;
  }
  return null;
}

async function findBase(
  git: GitAt,
  base: string,
  isOptional: boolean,
): Promise<{ name: string; ref: string } | null> {
  for (const ref of placesOf(base)) {
    if ((await commitOf(git, ref)) !== null) return { name: base, ref };
  }
  if (isOptional) return null;
  throw new AppError(
    'branch_missing',
    `${git.directory} has no branch ${base} to start from; choose an existing one`,
  );
}

/** Refs a name may mean, nearest first; a commit means itself. */
function placesOf(name: string): string[] {
  const places = ['heads', 'remotes', 'remotes/origin', 'tags'].map((at) => `refs/${at}/${name}`);
  return /^[0-9a-f]{7,64}$/.test(name) ? [...places, name] : places;
}

async function currentHead(git: GitAt): Promise<{ name: string; ref: string }> {
  const branch = await currentBranch(git);
  if (branch !== null) return { name: branch, ref: `refs/heads/${branch}` };
  const commit = await commitOf(git, 'HEAD');
  return { name: commit ?? 'HEAD', ref: 'HEAD' };
}

/** Throws `invalid_body` for what git takes for no branch, an option, or another name of `HEAD`. */
export async function requireName(git: GitAt, branch: string): Promise<void> {
  requirePlain(branch);
  const answer = await git.attempt(['check-ref-format', '--branch', branch]);
  // Another name of HEAD, but not everywhere in git.
  if (branch === '@' || !answer.ok || answer.stdout.trim() !== branch) refuseName(branch);
}

/** Refuses a name that git would take for an option, or for more than a name. */
function requirePlain(name: string): void {
  if (/^[-/]|\.\.|@\{|[\s~^:?*[\\\p{Cc}]/u.test(name)) refuseName(name);
}

function refuseName(name: string): never {
  throw new AppError('invalid_body', `${JSON.stringify(name)} is not a valid git branch name`);
}

/** Git stores branches as files: `x` and `x/y` cannot both exist. */
async function requireRoom(git: GitAt, branch: string): Promise<void> {
  const parts = branch.split('/');
  for (let length = 1; length < parts.length; length += 1) {
    const parent = parts.slice(0, length).join('/');
    if ((await commitOf(git, `refs/heads/${parent}`)) !== null) refuseBoth(branch, parent);
  }
  const below = ['for-each-ref', '--count=1', '--format=%(refname)', `refs/heads/${branch}/`];
  const child = (await git.run(below)).trim();
  if (child !== '') refuseBoth(branch, child.slice('refs/heads/'.length));
}

function refuseBoth(branch: string, other: string): never {
  throw new AppError(
    'branch_in_use',
    `the branch ${other} exists, so git cannot create ${branch}; choose another branch`,
  );
}
