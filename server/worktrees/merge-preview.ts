import { readMergeTips } from './merge-work.ts';
import { mergeTrees } from './merge-trees.ts';
import type { WorktreeRecord } from './worktree-store.ts';
import type { WorktreeTools } from './worktree-tools.ts';

/** What a merge of a branch would bring. Uncommitted work does not count. */
export interface MergePreview {
  /** Commits that the other branch lacks. */
  commits: number;
  /** Files that the branch changed since it last had all of the other one. */
  files: number;
  /** Files that need a person; at most 200. */
  conflicts: string[];
}

/** Throws `branch_missing`, `invalid_body` or `git_failed`. */
export async function readMergePreview(
  tools: WorktreeTools,
  record: WorktreeRecord,
  into: string,
): Promise<MergePreview> {
  const root = await tools.git.at(record.repository);
  const tips = await readMergeTips(root, record, into);
  const list = { limit: 'list' as const };
  const range = [tips.from, `^${tips.into}`];
  const commits = Number(await root.run(['rev-list', '--count', ...range], list));
  if (commits === 0) return { commits, files: 0, conflicts: [] };
  const merged = await mergeTrees(tools, root, tips, { forget: true });
  const base = (await root.run(['merge-base', tips.into, tips.from])).trim();
  const changed = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', base, tips.from];
  const files = (await root.run(changed, list)).split('\0').length - 1;
  return { commits, files, conflicts: 'conflicts' in merged ? merged.conflicts : [] };
}
