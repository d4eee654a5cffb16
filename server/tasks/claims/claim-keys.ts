/** The remote branches a task works on. */
import { createHash } from 'node:crypto';
import { branchOf } from '../../worktrees/branch-name.ts';
import { remoteAddress } from '../../worktrees/remote-address.ts';
import type { Worktrees } from '../../worktrees/worktrees.ts';
import { worktreeRequests } from '../executor/work-directories.ts';
import type { TaskRecord } from '../stores/task-record.ts';

interface ClaimKey {
  key: string;
  /** For people. */
  work: string;
}

/** In one order on every host, so that two never wait for each other. Throws as `repositoryOf`. */
export async function claimKeys(
  { id, name, plan }: TaskRecord,
  worktrees: Pick<Worktrees, 'of' | 'repositoryOf'>,
): Promise<ClaimKey[]> {
  const requests = worktreeRequests(name, plan);
  const written = plan.projects.filter(({ access }) => access === 'write').map(({ path }) => path);
  const keys = new Map<string, ClaimKey>();
  for (const path of new Set([plan.rootFolder, ...written])) {
    const repository = await worktrees.repositoryOf(path);
    if (repository?.remote == null) continue;
    const own = worktrees.of(id).find((each) => each.repository === repository.root);
    const asked = requests.find((each) => each.repository === path);
    const branch = own?.branch ?? (asked === undefined ? repository.branch : branchOf(asked));
    if (branch === null) continue;
    const remote = claimedRemote(repository.remote);
    const key = createHash('sha256').update(`${remote}\n${branch}`).digest('hex');
    keys.set(key, { key, work: `task ${name}: ${branch} of ${remote}` });
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
