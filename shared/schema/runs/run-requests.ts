/** What people send about runs: start, resume, clean up. */
import { z } from 'zod';
import {
  DEFAULT_FIX_ROUNDS,
  DEFAULT_RUN_MINUTES,
  DEFAULT_SAME_FAILURES,
} from '../../rules/work/run-limits.ts';
import { WORK_PHASES } from '../../rules/work/run-phases.ts';
import { Gates, TestCommands } from '../tasks/end-criteria.ts';
import { PermissionMode } from '../tasks/permission-mode.ts';
import { BranchName, RootFolder } from '../tasks/project.ts';

const ModelName = z.string().regex(/^[A-Za-z0-9][\w.:@/[\]-]{0,99}$/, {
  message: 'must be the name of a model',
});
export const Minutes = z.int().min(1).max(100_000);
export const Dollars = z.number().positive().max(100_000);
export const Tokens = z.int().min(1).max(1_000_000_000);

/** Of one phase; what is left out is as for the whole run. */
const PhaseOptions = z.strictObject({
  model: ModelName.nullish(),
  permission_mode: PermissionMode.nullish(),
  /** Working time in this phase, all its visits together. */
  max_minutes: Minutes.nullish(),
  max_cost_usd: Dollars.nullish(),
});

const text = z
  .string()
  .trim()
  .min(1)
  .max(50_000)
  .regex(/^[^\0]*$/, 'must not contain a NUL character');

export const StartRun = z.strictObject({
  prompt: text,
  cwd: RootFolder.nullish(),
  model: ModelName.nullish(),
  /** For execute and fix; plan and review only read unless `phases` says otherwise. */
  permission_mode: PermissionMode.nullish(),
  phases: z
    .strictObject({
      plan: PhaseOptions.optional(),
      execute: PhaseOptions.optional(),
      review: PhaseOptions.optional(),
      fix: PhaseOptions.optional(),
    })
    .default({}),
  use_worktree: z.boolean().default(true),
  branch: BranchName.nullish(),
  base_branch: BranchName.nullish(),
  /** Once complete, merge into this local branch if the checks pass on the merged result. */
  merge_into: BranchName.nullish(),
  /** Wait until a person accepts the plan. */
  review_plan: z.boolean().default(false),
  max_fix_rounds: z.int().min(0).max(100).default(DEFAULT_FIX_ROUNDS),
  /** How often the same failure may be seen before the run counts as stuck. */
  same_failure_limit: z.int().min(2).max(100).default(DEFAULT_SAME_FAILURES),
  /** Working time; waits for a quota or a person do not count. */
  max_minutes: Minutes.nullable().default(DEFAULT_RUN_MINUTES),
  max_cost_usd: Dollars.nullable().default(null),
  /** Output tokens. */
  max_tokens: Tokens.nullable().default(null),
  /** Null: the host detects how the project is tested. Empty: no tests. */
  test_commands: TestCommands.nullish(),
  gates: Gates.default([]),
});
export type StartRun = z.output<typeof StartRun>;
/** As sent: defaults may be omitted. */
export type StartRunBody = z.input<typeof StartRun>;

export const ResumeRun = z.strictObject({
  from_phase: z.enum(WORK_PHASES).nullish(),
  /** Resume although it is stale. */
  force: z.boolean().default(false),
  /** Added to what was used, where a limit ended the run. */
  add_minutes: Minutes.nullish(),
  add_cost_usd: Dollars.nullish(),
  add_tokens: Tokens.nullish(),
});
export type ResumeRun = z.output<typeof ResumeRun>;

export const CleanupRuns = z.strictObject({
  completed: z.boolean().default(false),
  stale: z.boolean().default(false),
  invalid: z.boolean().default(false),
  corrupt: z.boolean().default(false),
  include_stopped: z.boolean().default(false),
  older_than_hours: z.number().positive().max(1_000_000).nullish(),
  /** Only says what would be removed. */
  dry_run: z.boolean().default(false),
});
export type CleanupRuns = z.output<typeof CleanupRuns>;
