/** A run: one piece of work planned, executed, reviewed and fixed, phase by phase. */
import { z } from 'zod';
import { Evidence } from '../events/evidence.ts';
import { Wait } from '../model.ts';
import { Reason } from '../reasons.ts';
import { Dollars, Minutes, StartRun, Tokens } from './run-requests.ts';
import { RunPhase, RunStage, RunStatus, WorkPhase } from './run-phase.ts';

/** The name of a directory: no dot, no slash. */
export const RunId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, {
  message: 'must be 1 to 64 letters, digits, - or _',
});
export type RunId = z.infer<typeof RunId>;

const PhaseLimits = z.object({ max_minutes: Minutes.nullish(), max_cost_usd: Dollars.nullish() });

/** The limits of a run as its checkpoint carries them; what is left out has its default. */
export const RunLimits = z.object({
  max_fix_rounds: StartRun.shape.max_fix_rounds.optional(),
  same_failure_limit: StartRun.shape.same_failure_limit.optional(),
  max_minutes: Minutes.nullish(),
  max_cost_usd: Dollars.nullish(),
  max_tokens: Tokens.nullish(),
  phases: z
    .object({
      plan: PhaseLimits.optional(),
      execute: PhaseLimits.optional(),
      review: PhaseLimits.optional(),
      fix: PhaseLimits.optional(),
    })
    .optional(),
});
export type RunLimits = z.output<typeof RunLimits>;

export const PhaseSpend = z.object({
  /** Working time. */
  seconds: z.number(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number(),
  turns: z.int(),
});
export type PhaseSpend = z.infer<typeof PhaseSpend>;

/** One visit of the review: what the host found, then what the reviewer said. */
export const RunRound = z.object({
  /** From 0: the fix rounds before it. */
  iteration: z.int(),
  at: z.iso.datetime(),
  /** Of exactly the checked content; null without git. */
  commit: z.string().nullable(),
  /** Whether the work differs from that of the round before. */
  changed: z.boolean(),
  /** Null while the checks run. */
  checks: z.enum(['passed', 'none', 'tests_failed', 'gate_failed']).nullable(),
  /** The name of what failed, and the end of its output; '' otherwise. */
  detail: z.string(),
  /** The reviewer's word; null: not asked, because the checks failed or are still running. */
  verdict: z.enum(['pass', 'fail', 'unclear']).nullable(),
  /** The end of the reviewer's text. */
  findings: z.string(),
});
export type RunRound = z.infer<typeof RunRound>;

export const RunSummary = z.object({
  id: RunId,
  /** The first line of the prompt. */
  title: z.string(),
  working_dir: z.string(),
  worktree_path: z.string().nullable(),
  branch: z.string().nullable(),
  status: RunStatus,
  stage: RunStage,
  phase: RunPhase,
  /** Fix rounds begun. */
  iteration: z.int(),
  max_fix_rounds: z.int(),
  /** Why it has this status. */
  reason: Reason.nullable(),
  error: z.string().nullable(),
  wait: Wait.nullable(),
  /** `proven`: the host's checks passed. `unproven`: there were none. Null before the end. */
  proof: z.enum(['proven', 'unproven', 'refuted']).nullable(),
  active_seconds: z.number(),
  cost_usd: z.number(),
  output_tokens: z.int(),
  /** That answered last, and how full the context of this phase is in percent; null while it is not known. */
  model: z.string().nullable(),
  context_percent: z.int().nullable(),
  /** Last saved more than a day ago and not complete. */
  stale: z.boolean(),
  /** False: its directory no longer exists. */
  valid: z.boolean(),
  created_by: z.string().nullable(),
  started_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** One line of the plan; `- [x]` and indents are read. */
export const PlanItem = z.object({ text: z.string(), level: z.int(), done: z.boolean() });
export type PlanItem = z.infer<typeof PlanItem>;

export const Run = RunSummary.extend({
  prompt: z.string(),
  options: StartRun,
  /** What names its limits: its request, the checkpoint it was taken from, or neither. */
  limits_from: z.enum(['request', 'checkpoint', 'default']),
  base: z.string().nullable(),
  /** Per phase, those never entered included. */
  spent: z.record(WorkPhase, PhaseSpend),
  /** Of the client's conversations, by phase. */
  conversations: z.record(WorkPhase, z.string().nullable()),
  process_pid: z.int().nullable(),
  rounds: z.array(RunRound),
  has_plan: z.boolean(),
  /** A person changed the agent's plan. */
  plan_edited: z.boolean(),
  evidence: z.array(Evidence),
  input_pending: z.boolean(),
  has_report: z.boolean(),
  merged_into: z.string().nullable(),
  /** Why it was not merged into the branch it was started for; null otherwise. */
  not_merged: z.string().nullable(),
  /** What may be done now. */
  actions: z.array(z.enum(['stop', 'resume', 'input', 'accept_plan', 'merge', 'delete'])),
});
export type Run = z.infer<typeof Run>;

/** A stored session that cannot be used as it is. */
export const RunProblem = z.object({
  id: z.string(),
  problem: z.enum(['corrupt', 'version', 'unreadable', 'invalid_directory', 'stale']),
  message: z.string(),
});
export type RunProblem = z.infer<typeof RunProblem>;

export const RunPlan = z.object({
  /** What the run works by; what a person edited is in it. */
  text: z.string(),
  /** The agent's own version. */
  agent_text: z.string(),
  /** Of `text`; a change must name it. */
  hash: z.string(),
  path: z.string(),
  /** Waiting for a person to accept it. */
  awaits_review: z.boolean(),
  items: z.array(PlanItem),
});
export type RunPlan = z.infer<typeof RunPlan>;

export const RunCheck = z.object({
  id: z.int(),
  iteration: z.int(),
  type: z.enum(['regression', 'gate']),
  name: z.string(),
  command: z.string(),
  status: z.enum(['pending', 'passed', 'failed', 'skipped']),
  exit_code: z.int().nullable(),
  /** The end of its output, at most 20,000 characters. */
  output: z.string(),
  duration_ms: z.int().nullable(),
  commit: z.string().nullable(),
  at: z.iso.datetime(),
});
export type RunCheck = z.infer<typeof RunCheck>;
