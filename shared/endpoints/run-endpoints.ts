/** Runs: start, watch, stop, resume, merge and clean up. */
import { z } from 'zod';
import { EventSeq } from '../schema/event-seq.ts';
import { WORK_PHASES } from '../rules/run-phases.ts';
import { RunPhase, RunStatus } from '../schema/runs/run-phase.ts';
import {
  CleanupRuns,
  ResumeRun,
  Run,
  RunCheck,
  RunId,
  RunPlan,
  RunProblem,
  RunSummary,
  StartRun,
} from '../schema/runs/run.ts';
import { Interaction } from '../schema/tasks/interaction.ts';
import { BranchName, WorkDiff } from '../schema/tasks/project.ts';
import { wholeNumberText } from '../schema/tasks/query-number.ts';
import { SendTaskInput } from '../schema/tasks/task-input.ts';
import type { Endpoint } from './endpoint.ts';

const RUN = { params: z.object({ id: RunId }), unknown: 'run_unknown' } as const;
const PATH = '/api/runs/:id';
const Changed = Run.extend({ seq: EventSeq });

const PLACE_ERRORS = [
  'outside_roots',
  'project_missing',
  'project_busy',
  'worktree_needed',
  'not_a_repository',
  'branch_missing',
  'branch_in_use',
  'git_too_old',
  'worktree_failed',
  'git_failed',
] as const;
const CHECKPOINT_ERRORS = [
  'run_unknown',
  'checkpoint_corrupt',
  'checkpoint_version',
  'checkpoint_unreadable',
] as const;

export const RUN_ENDPOINTS = {
  startRun: {
    method: 'POST',
    path: '/api/runs',
    summary: 'Start a run: plan, execute, review and fix until it is complete.',
    role: 'operator',
    maxBytes: 512 * 1024,
    body: StartRun,
    responses: { 201: Changed },
    errors: PLACE_ERRORS,
  },
  listRuns: {
    method: 'GET',
    path: '/api/runs',
    summary: 'List runs, newest first, and stored ones with a problem.',
    role: 'viewer',
    query: z.strictObject({
      status: RunStatus.optional(),
      phase: RunPhase.optional(),
      limit: wholeNumberText(1, 20_000).default(1000),
      /** `unreadable`: without those that the runs themselves are marked with. */
      problems: z.enum(['all', 'unreadable']).default('all'),
      max_problems: wholeNumberText(0, 20_000).default(1000),
    }),
    responses: {
      200: z.object({
        runs: z.array(RunSummary),
        total: z.int(),
        problems: z.array(RunProblem),
        /** Including those beyond `max_problems`. */
        problems_total: z.int(),
      }),
    },
    errors: [],
  },
  cleanUpRuns: {
    method: 'POST',
    path: '/api/runs/cleanup',
    summary: 'Remove stored runs by kind; worktrees and branches with work are kept.',
    role: 'operator',
    body: CleanupRuns,
    responses: {
      200: z.object({
        dry_run: z.boolean(),
        removed: z.array(z.object({ id: z.string(), why: z.string() })),
        kept: z.array(z.object({ id: z.string(), why: z.string() })),
      }),
    },
    errors: [],
  },
  getRun: {
    method: 'GET',
    path: PATH,
    summary: 'Get a run with its phases, rounds and what may be done now.',
    role: 'viewer',
    ...RUN,
    responses: { 200: Run },
    errors: CHECKPOINT_ERRORS,
  },
  stopRun: {
    method: 'POST',
    path: `${PATH}/stop`,
    summary: 'Stop a run; its worktree, branch and conversations are kept.',
    role: 'operator',
    ...RUN,
    body: z.strictObject({ reason: z.string().trim().max(500).nullish() }),
    responses: { 200: Changed },
    errors: ['run_unknown', 'wrong_run_status'],
  },
  resumeRun: {
    method: 'POST',
    path: `${PATH}/resume`,
    summary: 'Resume a run that stopped, failed or was stored elsewhere.',
    role: 'operator',
    ...RUN,
    body: ResumeRun,
    responses: { 200: Changed },
    errors: [
      ...CHECKPOINT_ERRORS,
      'wrong_run_status',
      'run_stale',
      'run_busy',
      'project_busy',
      'run_directory_missing',
      'outside_roots',
    ],
  },
  deleteRun: {
    method: 'DELETE',
    path: PATH,
    summary: 'Delete a run that has ended; its work is kept on its branch.',
    role: 'operator',
    ...RUN,
    query: z.strictObject({ cleanup_worktree: z.stringbool().default(true) }),
    responses: { 200: z.object({ kept: z.array(z.string()), seq: EventSeq }) },
    errors: ['run_unknown', 'run_busy', 'wrong_run_status', 'worktree_holds_work', 'git_failed'],
  },
  sendRunInput: {
    method: 'POST',
    path: `${PATH}/input`,
    summary: 'Send words to a run; the agent gets them before anything automatic.',
    role: 'operator',
    ...RUN,
    body: SendTaskInput.pick({ input: true, interrupt: true }),
    responses: { 202: z.object({ id: z.string(), seq: EventSeq }) },
    errors: ['run_unknown', 'wrong_run_status'],
  },
  getRunPlan: {
    method: 'GET',
    path: `${PATH}/plan`,
    summary: "Get the plan of a run, and the agent's own version.",
    role: 'viewer',
    ...RUN,
    responses: { 200: RunPlan },
    errors: [...CHECKPOINT_ERRORS, 'no_plan'],
  },
  editRunPlan: {
    method: 'PUT',
    path: `${PATH}/plan`,
    summary: 'Edit the plan while it waits for review.',
    role: 'operator',
    maxBytes: 512 * 1024,
    ...RUN,
    body: z.strictObject({
      text: z.string().trim().min(1).max(200_000),
      /** Of the text that was edited. */
      hash: z.string().max(100),
    }),
    responses: { 200: RunPlan.extend({ seq: EventSeq }) },
    errors: ['run_unknown', 'no_plan', 'wrong_run_status', 'plan_changed'],
  },
  acceptRunPlan: {
    method: 'POST',
    path: `${PATH}/plan/accept`,
    summary: 'Accept the plan as it is in its file; the run continues.',
    role: 'operator',
    ...RUN,
    body: z.strictObject({ hash: z.string().max(100) }),
    responses: { 200: Changed },
    errors: ['run_unknown', 'no_plan', 'wrong_run_status', 'plan_changed'],
  },
  getRunInteractions: {
    method: 'GET',
    path: `${PATH}/interactions`,
    summary: 'Get what people, the agent and its tools said, oldest first, in pages.',
    role: 'viewer',
    ...RUN,
    query: z.strictObject({
      after: wholeNumberText(0, 999_999_999).optional(),
      before: wholeNumberText(1, 999_999_999).optional(),
      limit: wholeNumberText(1, 1000).default(500),
    }),
    responses: {
      200: z.object({
        interactions: z.array(Interaction.extend({ phase: z.enum(WORK_PHASES) })),
        total: z.int(),
        next: z.int().nullable(),
        previous: z.int().nullable(),
      }),
    },
    errors: ['run_unknown'],
  },
  getRunChecks: {
    method: 'GET',
    path: `${PATH}/checks`,
    summary: 'Get the checks the host ran, with their output.',
    role: 'viewer',
    ...RUN,
    query: z.strictObject({ iteration: wholeNumberText(0, 10_000).optional() }),
    responses: { 200: z.object({ checks: z.array(RunCheck) }) },
    errors: ['run_unknown'],
  },
  getRunDiff: {
    method: 'GET',
    path: `${PATH}/diff`,
    summary: 'Get what the run changed: as a whole, or in one round.',
    role: 'viewer',
    ...RUN,
    query: z.strictObject({ iteration: wholeNumberText(0, 10_000).optional() }),
    responses: { 200: WorkDiff },
    errors: ['run_unknown', 'no_worktree', 'git_failed'],
  },
  getRunReport: {
    method: 'GET',
    path: `${PATH}/report`,
    summary: 'Get the report of a run that has ended, as Markdown.',
    role: 'viewer',
    ...RUN,
    responses: { 200: z.object({ text: z.string(), path: z.string() }) },
    errors: [...CHECKPOINT_ERRORS, 'no_report'],
  },
  mergeRun: {
    method: 'POST',
    path: `${PATH}/merge`,
    summary: 'Merge the work of a run into a local branch after its checks pass on the result.',
    role: 'operator',
    ...RUN,
    body: z.strictObject({ into: BranchName, squash: z.boolean().default(false) }),
    responses: { 200: Changed.extend({ commit: z.string() }) },
    errors: [
      'run_unknown',
      'wrong_run_status',
      'no_worktree',
      'branch_missing',
      'merge_conflict',
      'merge_refused',
      'branch_in_use',
      'git_failed',
    ],
  },
} as const satisfies Record<string, Endpoint>;
