/** The repositories a task works on, and the state of its worktrees. */
import { z } from 'zod';

/** A name that git accepts for a branch: no option, and no alias of the checked-out branch. */
export const BranchName = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^(?![-/.])(?!(?:HEAD|@)$)(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\s~^:?*[\\\p{Cc}]+(?<![/.])$/u,
    {
      message: 'must be a valid git branch name',
    },
  );

const Path = z
  .string()
  .max(500)
  // eslint-disable-next-line no-control-regex -- what ends a path in the system's eyes
  .regex(/^\/[^\u0000]*$/, { message: 'must be an absolute path' });

export const Project = z.strictObject({
  path: Path,
  /** Writable in its own worktree, or read in place. */
  access: z.enum(['write', 'read']).default('write'),
  context: z.string().max(10_000).default(''),
  branch_name: BranchName.optional(),
  base_branch: BranchName.optional(),
  project_type: z.string().max(40).optional(),
});
export type Project = z.output<typeof Project>;
export const RootFolder = Path;

/** What happens to a worktree; setting it up is a command of its project. */
export const WORKTREE_ACTIONS = [
  'created',
  'setup_started',
  'set_up',
  'setup_failed',
  'removed',
  'rolled_back',
] as const;
export type WorktreeAction = (typeof WORKTREE_ACTIONS)[number];

/** The work in a worktree, and what a removal would do with it. */
export const WorkState = z.object({
  path: z.string(),
  repository: z.string(),
  branch: z.string(),
  base: z.string(),
  /** False when the directory no longer exists. */
  exists: z.boolean(),
  /** Uncommitted changed and new files, at most 100. */
  dirty: z.array(z.string()),
  dirty_count: z.int(),
  /** Files that git ignores: they are deleted with the directory. */
  ignored_count: z.int(),
  /** Commits on the branch that its base does not have. */
  unmerged_commits: z.int(),
  /** Commits that are on no remote. */
  unpushed_commits: z.int(),
  /** Why it cannot be removed, as text; null when it can. */
  obstacle: z.string().nullable(),
  /** What a removal would do with the work, in full sentences. */
  on_removal: z.array(z.string()),
});
export type WorkState = z.infer<typeof WorkState>;

export const WorkStates = z.object({ task_name: z.string(), worktrees: z.array(WorkState) });

export const ChangedFile = z.object({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'other']),
  additions: z.int().nullable(),
  deletions: z.int().nullable(),
  /** Not committed yet. */
  dirty: z.boolean(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

export const WorkDiff = z.object({
  repository: z.string(),
  branch: z.string(),
  base: z.string(),
  files: z.array(ChangedFile),
  /** A unified diff against the start of the branch, including uncommitted work. */
  patch: z.string(),
  /** The patch or the list is truncated. */
  cut: z.boolean(),
});
export type WorkDiff = z.infer<typeof WorkDiff>;

export const WorkDiffs = z.object({ task_name: z.string(), projects: z.array(WorkDiff) });

/** What a merge of a task's branch would bring; its uncommitted files are not part of it. */
export const TaskMergePreview = z.object({
  task_name: z.string(),
  repository: z.string(),
  branch: z.string(),
  into: z.string(),
  /** Commits that the other branch lacks. */
  commits: z.int(),
  /** Files that they change. */
  files: z.int(),
  /** At most 200 paths. */
  conflicts: z.array(z.string()),
  /** Changed and new files that a merge would commit to the task's branch first. */
  uncommitted: z.int(),
  /** Tests and gates that would run on the merged result, by name. */
  checks: z.array(z.string()),
});
export type TaskMergePreview = z.infer<typeof TaskMergePreview>;

/** A test or gate that ran on a merged result. */
export const MergeCheck = z.object({
  type: z.enum(['regression', 'gate']),
  name: z.string(),
  status: z.enum(['passed', 'failed', 'skipped']),
  exit_code: z.int().nullable(),
  duration_ms: z.number(),
  /** The end of it, at most 20,000 characters. */
  output: z.string(),
});
export type MergeCheck = z.infer<typeof MergeCheck>;

export const GitBranches = z.object({
  current_branch: z.string().nullable(),
  /** Sorted, unique, without the name of the remote. */
  branches: z.array(z.string()),
});
export type GitBranches = z.infer<typeof GitBranches>;

/** Tasks of one directory. */
export const ProjectSession = z.object({
  id: z.string(),
  project_path: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type ProjectSession = z.infer<typeof ProjectSession>;
