/** The repositories a task works on, and what stands in its worktrees. */
import { z } from 'zod';

/** A name that git takes for a branch: no option, and no other name of the branch that is checked out. */
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
  /** Written to in a worktree of its own, or only read where it lies. */
  access: z.enum(['write', 'read']).default('write'),
  context: z.string().max(10_000).default(''),
  branch_name: BranchName.optional(),
  base_branch: BranchName.optional(),
  project_type: z.string().max(40).optional(),
});
export type Project = z.output<typeof Project>;
export const RootFolder = Path;

/** What stands in a worktree, and what would become of it. */
export const WorkState = z.object({
  path: z.string(),
  repository: z.string(),
  branch: z.string(),
  base: z.string(),
  /** False when the directory is gone. */
  exists: z.boolean(),
  /** Changed and new files that are in no commit, at most 100 of them. */
  dirty: z.array(z.string()),
  dirty_count: z.int(),
  /** Files that git ignores: they go with the directory. */
  ignored_count: z.int(),
  /** Commits on the branch that its base has not. */
  unmerged_commits: z.int(),
  /** Commits that no remote has. */
  unpushed_commits: z.int(),
  /** What forbids its removal, in words; null when nothing does. */
  obstacle: z.string().nullable(),
  /** What a removal would do with the work, in whole sentences. */
  on_removal: z.array(z.string()),
});
export type WorkState = z.infer<typeof WorkState>;

export const WorkStates = z.object({ task_name: z.string(), worktrees: z.array(WorkState) });

export const ChangedFile = z.object({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'other']),
  additions: z.int().nullable(),
  deletions: z.int().nullable(),
  /** In no commit yet. */
  dirty: z.boolean(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

export const WorkDiff = z.object({
  repository: z.string(),
  branch: z.string(),
  base: z.string(),
  files: z.array(ChangedFile),
  /** A unified diff against where the branch began, with what is in no commit yet. */
  patch: z.string(),
  /** The patch or the list goes on. */
  cut: z.boolean(),
});
export type WorkDiff = z.infer<typeof WorkDiff>;

export const WorkDiffs = z.object({ task_name: z.string(), projects: z.array(WorkDiff) });

export const GitBranches = z.object({
  current_branch: z.string().nullable(),
  /** Sorted, each once, without the name of the remote. */
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
