import type { WorkState } from '../../shared/schema/tasks/project.ts';
import { unreferenced } from './git/backup-refs.ts';
import { baseNow } from './git/branch-name.ts';
import type { Git, GitAt } from './git/git.ts';
import { reasonToKeep } from './changing/remove-worktree.ts';
import { obstacleOf, readFacts, type WorkFacts } from './reading/work-facts.ts';
import type { WorktreeRecord } from './worktree-store.ts';

const MAX_DIRTY = 100;

/**
 * The content of a worktree, and what its removal, with its branch, would do. Throws `git_failed`.
 */
export async function readWorkState(git: Git, record: WorktreeRecord): Promise<WorkState> {
  const root = await git.at(record.repository);
  const facts = await readFacts(git, root, record);
  const tips = [...new Set([facts.tip, facts.head])].filter((commit) => commit !== null);
  const base = (await baseNow(root, record.base)) ?? record.baseCommit;
  return {
    path: record.path,
    repository: record.repository,
    branch: record.branch,
    base: record.base,
    exists: facts.exists,
    dirty: facts.dirty.slice(0, MAX_DIRTY),
    dirty_count: facts.dirty.length,
    ignored_count: facts.ignored.length,
    unmerged_commits: await count(root, tips, [base]),
    // The branch's own commits begin where the branch began, also without a remote.
    unpushed_commits: await count(root, tips, ['--remotes', record.baseCommit]),
    obstacle: obstacleOf(facts, record.path),
    on_removal: await predict(root, record, facts, tips),
  };
}

async function count(root: GitAt, tips: string[], except: string[]): Promise<number> {
  if (tips.length === 0) return 0;
  const args = ['rev-list', '--count', ...tips, '--not', ...except];
  return Number(await root.run(args, { limit: 'list' }));
}

/** In the order of execution. */
async function predict(
  root: GitAt,
  record: WorktreeRecord,
  facts: WorkFacts,
  tips: string[],
): Promise<string[]> {
  const { branch } = record;
  const isOnBranch = facts.headBranch === branch;
  const files = facts.dirty.length === 1 ? '1 changed file' : `${facts.dirty.length} changed files`;
  const to = isOnBranch ? `committed to ${branch}` : 'committed under a backup ref';
  const ignored = facts.ignored.length === 1 ? '1 ignored file or directory' : null;
  const many = `${facts.ignored.length} ignored files or directories`;
  const left = isOnBranch || facts.head === null ? [] : await unreferenced(root, [facts.head]);
  const keepReason = reasonToKeep(record, facts);
  // What is committed first is on no other branch yet.
  const isNew = isOnBranch && facts.dirty.length > 0;
  const held =
    facts.tip !== null && !isNew && (await unreferenced(root, [facts.tip], branch)).length === 0;
  return [
    ...(facts.dirty.length > 0 ? [`${files} will be ${to}.`] : []),
    ...(left.length > 0 ? ['Commits on no branch will be saved under a backup ref.'] : []),
    ...(facts.exists ? [`The directory ${record.path} will be removed.`] : []),
    ...(facts.ignored.length > 0 ? [`${ignored ?? many} will be removed with it.`] : []),
    ...(facts.tip === null ? [] : [branchPrediction(branch, keepReason, held)]),
    ...(tips.length === 0 ? ['It has no commits.'] : []),
  ];
}

function branchPrediction(branch: string, keepReason: string | null, held: boolean): string {
  if (keepReason !== null) return `The branch ${branch} will be kept: ${keepReason}.`;
  return held
    ? `The branch ${branch} will be deleted: other branches have all its commits.`
    : `The branch ${branch} will be deleted; its commits will be saved under a backup ref.`;
}
