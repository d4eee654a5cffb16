/** A task: described work, done in conversations until its end criteria hold. */
import { z } from 'zod';
import { Wait } from '../model.ts';
import { Reason } from '../reasons.ts';
import { Criteria, EndCriteria, Gates, Iterations, Limits, TestCommands } from './end-criteria.ts';
import { Interaction } from './interaction.ts';
import { BranchName, Project, RootFolder } from './project.ts';
import { PermissionMode } from './permission-mode.ts';
import { Handover, Placed, Placement } from './placement.ts';
import { wholeNumberText } from './query-number.ts';
import { TaskName } from './task-name.ts';
import { TaskStatus } from './task-status.ts';

const Description = z.string().trim().min(1).max(50_000);
const Context = z.string().max(20_000);
const Projects = z.array(Project).max(10);

export const CreateTask = z.strictObject({
  /** Of the new task. The same request with the same id again answers the task that exists. */
  id: z.uuid().optional(),
  task_name: TaskName,
  description: Description,
  root_folder: RootFolder.nullish(),
  /** The older name of `root_folder`, which wins. */
  project_path: RootFolder.nullish(),
  branch_name: BranchName.nullish(),
  base_branch: BranchName.nullish(),
  use_worktree: z.boolean().default(true),
  auto_start: z.boolean().default(false),
  project_context: Context.nullish(),
  end_criteria: Criteria.nullish(),
  ...Limits,
  projects: Projects.nullish(),
  gates: Gates.nullish(),
  test_commands: TestCommands.nullish(),
  /** Higher ones first. */
  priority: z.int().min(-100).max(100).default(0),
  /** Tasks that must be completed before this one starts. */
  depends_on: z.array(TaskName).max(20).default([]),
  permission_mode: PermissionMode.nullish(),
  /** In a fleet: where. Without it, on the host that is asked. */
  placement: Placement.optional(),
  /** Of the host that decided, for the chosen one. */
  handover: Handover.optional(),
});
export type CreateTask = z.output<typeof CreateTask>;
/** As sent: defaults may be omitted. */
export type CreateTaskBody = z.input<typeof CreateTask>;

/** Omitted fields stay unchanged; an empty description counts as omitted. */
export const UpdateTask = z.strictObject({
  description: z.string().trim().max(50_000).optional(),
  root_folder: RootFolder.optional(),
  branch_name: BranchName.optional(),
  base_branch: BranchName.optional(),
  git_repo: z.string().max(500).nullish(),
  end_criteria_config: z
    .strictObject({
      criteria: Criteria.nullish(),
      ...Limits,
      max_iterations: Iterations.nullish(),
      gates: Gates.nullish(),
      test_commands: TestCommands.nullish(),
      warning: z.string().optional(),
    })
    .optional(),
  custom_human_input: z.string().max(30_000).nullish(),
  projects: Projects.optional(),
  project_context: Context.nullish(),
  priority: z.int().min(-100).max(100).optional(),
  depends_on: z.array(TaskName).max(20).optional(),
  permission_mode: PermissionMode.optional(),
});
export type UpdateTask = z.output<typeof UpdateTask>;

export const TestCase = z.object({
  id: z.int(),
  /** `regression`: the project's own tests. `gate`: a command of the task. */
  type: z.enum(['regression', 'gate']),
  name: z.string(),
  command: z.string(),
  status: z.enum(['pending', 'passed', 'failed', 'skipped']),
  exit_code: z.int().nullable(),
  /** The end of its output, at most 20,000 characters. */
  output: z.string(),
  duration_ms: z.int().nullable(),
  /** The tested commit. */
  commit: z.string().nullable(),
  at: z.iso.datetime(),
});
export type TestCase = z.infer<typeof TestCase>;

/** The evidence that a task is done: the claim, and what the host verified. */
export const Completion = z.object({
  /** The first to claim it: the criteria check or the agent's own last lines; null: neither. */
  claimed_by: z.enum(['criteria', 'agent']).nullable(),
  claim: z.string().nullable(),
  confidence: z.number().nullable(),
  /** `proven`: every test and gate passed on the host. `unproven`: there were none. */
  proof: z.enum(['proven', 'refuted', 'unproven']),
  commit: z.string().nullable(),
});
export type Completion = z.infer<typeof Completion>;

export const Task = z.object({
  id: z.string(),
  task_name: TaskName,
  session_id: z.string(),
  description: z.string(),
  root_folder: z.string(),
  branch_name: z.string().nullable(),
  base_branch: z.string().nullable(),
  git_repo: z.string().nullable(),
  /** Without a repository a task has no worktree and no branch. */
  is_repository: z.boolean(),
  use_worktree: z.boolean(),
  worktree_path: z.string().nullable(),
  status: TaskStatus,
  /** The criteria were met. */
  outcome: z.literal('FINISHED').nullable(),
  /** Why it has this status. */
  reason: Reason.nullable(),
  completion: Completion.nullable(),
  wait: Wait.nullable(),
  /** What it does now, as a sentence. */
  progress: z.string().nullable(),
  priority: z.int(),
  depends_on: z.array(z.string()),
  /** From 1, among the queued tasks. */
  queue_position: z.int().nullable(),
  summary: z.string().nullable(),
  error_message: z.string().nullable(),
  end_criteria_config: EndCriteria,
  projects: z.array(Project.extend({ worktree_path: z.string().nullable() })),
  project_context: z.string(),
  custom_human_input: z.string().nullable(),
  permission_mode: PermissionMode,
  /** Of the conversation, for `claude -r`. */
  claude_session_id: z.string().nullable(),
  process_running: z.boolean(),
  process_pid: z.int().nullable(),
  iterations: z.int(),
  /** Output tokens. */
  total_tokens_used: z.int(),
  total_cost_usd: z.number(),
  /** That answered last, and how full its context is in percent; null while it is not known. */
  model: z.string().nullable(),
  context_percent: z.int().nullable(),
  active_seconds: z.number(),
  interaction_count: z.int(),
  user_input_pending: z.boolean(),
  waiting_for_input: z.boolean(),
  /** Why it is on this host. Null: created here without a choice. */
  placed: Placed.nullable(),
  created_by: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  completed_at: z.iso.datetime().nullable(),
  /** Both empty in lists. */
  test_cases: z.array(TestCase),
  interactions: z.array(Interaction),
});
export type Task = z.infer<typeof Task>;

export const TaskStatusView = z.object({
  id: z.string(),
  task_name: TaskName,
  root_folder: z.string(),
  branch_name: z.string().nullable(),
  base_branch: z.string().nullable(),
  status: TaskStatus,
  outcome: z.literal('FINISHED').nullable(),
  reason: Reason.nullable(),
  wait: Wait.nullable(),
  summary: z.string().nullable(),
  error_message: z.string().nullable(),
  end_criteria_config: EndCriteria,
  total_tokens_used: z.int(),
  total_cost_usd: z.number(),
  iterations: z.int(),
  interaction_count: z.int(),
  progress: z.string().nullable(),
  test_summary: z.object({
    total: z.int(),
    passed: z.int(),
    failed: z.int(),
    pending: z.int(),
  }),
  latest_claude_response: z.string().nullable(),
  waiting_for_input: z.boolean(),
  projects: Task.shape.projects,
  project_context: z.string(),
  process_running: z.boolean(),
  process_pid: z.int().nullable(),
});
export type TaskStatusView = z.infer<typeof TaskStatusView>;

/** Case-insensitive; FINISHED selects tasks whose criteria were met. */
const StatusQuery = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.enum([...TaskStatus.options, 'FINISHED']));

export const TaskQuery = z.strictObject({
  status: StatusQuery.optional(),
  root_folder: z.string().max(500).optional(),
  /** A part of the name, ignoring case. */
  name_filter: z.string().max(200).optional(),
  sort_by: z.enum(['created_at', 'updated_at', 'task_name', 'priority']).default('created_at'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
  limit: wholeNumberText(1, 1000).default(100),
  offset: wholeNumberText(0, 1_000_000).default(0),
});
export type TaskQuery = z.output<typeof TaskQuery>;

export const RetryQuery = z.strictObject({
  additional_iterations: wholeNumberText(1, 1000).default(10),
  additional_tokens: wholeNumberText(1, 1_000_000_000).optional(),
  additional_cost_usd: z.coerce.number().positive().max(100_000).optional(),
  additional_minutes: wholeNumberText(1, 100_000).optional(),
});
export type RetryQuery = z.output<typeof RetryQuery>;

export const InteractionQuery = z.strictObject({
  collapse_tools: z.stringbool().default(true),
  after: wholeNumberText(0, 999_999_999).optional(),
  before: wholeNumberText(1, 999_999_999).optional(),
  limit: wholeNumberText(1, 1000).default(500),
});
export type InteractionQuery = z.output<typeof InteractionQuery>;
