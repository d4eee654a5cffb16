/** What the worktrees of a unit hold, next to where their branches began. */
import type { ReportBranch } from '../../shared/schema/usage/report.ts';
import type { WorkDiff } from '../../shared/schema/tasks/project.ts';
import { messageOf } from '../lib/app-error.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';

export interface Branches {
  branches: ReportBranch[];
  /** The changed paths of each branch, at most 200. */
  files: string[][];
  /** Why they could not be read. */
  error: string | null;
}

export const NO_BRANCHES: Branches = { branches: [], files: [], error: null };

export async function readBranches(worktrees: Worktrees, owner: string): Promise<Branches> {
  try {
    const found = await Promise.all(
      worktrees.of(owner).map(async (worktree) => {
        const diff = await worktrees.diff(worktree);
        const { unmerged_commits: commits, dirty_count: uncommitted } =
          await worktrees.inspect(worktree);
        const files = diff.files.map(({ path }) => path);
        return { branch: summarize(diff, commits, uncommitted), files };
      }),
    );
    const branches = found.map(({ branch }) => branch);
    return { branches, files: found.map(({ files }) => files), error: null };
  } catch (error) {
    return { ...NO_BRANCHES, error: messageOf(error) };
  }
}

function summarize(diff: WorkDiff, commits: number, uncommitted: number): ReportBranch {
  const { repository, branch, base, files } = diff;
  const sum = (of: 'additions' | 'deletions') =>
    files.reduce((total, file) => total + (file[of] ?? 0), 0);
  return {
    repository,
    branch,
    base,
    commits,
    files: files.length,
    additions: sum('additions'),
    deletions: sum('deletions'),
    uncommitted,
  };
}
