/** The remote branches that work writes to, as keys. */
import { createHash } from 'node:crypto';
import { branchOf } from '../worktrees/git/branch-name.ts';
import type { WorktreeRequest } from '../worktrees/changing/create-worktree.ts';
import { remoteAddress } from '../worktrees/git/remote-address.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';

/** Where a task or a run works. */
export interface WorkPlaces {
  /** Of its worktrees. */
  owner: string;
  /** The directories that it writes to. */
  directories: readonly string[];
  /** The worktrees it has or will have. */
  requests: readonly WorktreeRequest[];
}

interface ClaimKey {
  key: string;
  /** For people: `fix-login of example.com/team/app`. */
  branch: string;
}

/** In one order on every host, so that two never wait for each other. Throws as `repositoryOf`. */
export async function claimKeys(
  { owner, directories, requests }: WorkPlaces,
  worktrees: Pick<Worktrees, 'of' | 'repositoryOf'>,
): Promise<ClaimKey[]> {
  const keys = new Map<string, ClaimKey>();
  for (const path of new Set(directories)) {
    const repository = await worktrees.repositoryOf(path);
    if (repository?.remote == null) continue;
    const own = worktrees.of(owner).find((each) => each.repository === repository.root);
    const requested = requests.find((each) => each.repository === path);
    const branch = own?.branch ?? (requested ? branchOf(requested) : repository.branch);
    if (branch === null) continue;
    const remote = claimedRemote(repository.remote);
    const key = createHash('sha256').update(`${remote}\n${branch}`).digest('hex');
    keys.set(key, { key, branch: `${branch} of ${remote}` });
  }
  return [...keys.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}

/**
 * One text for the spellings of one remote. Two that differ only in user, port or case are the same
 * here, which at worst lets one of them wait.
 */
export function claimedRemote(remote: string): string {
  const address = remoteAddress(remote);
  if (address === null) return remote.trim();
  return address.host === '' ? address.path : `${address.host}${address.path}`.toLowerCase();
}
