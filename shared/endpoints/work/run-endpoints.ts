/** Runs: start, list, stop, resume, plan and clean up. */
import { z } from 'zod';
import { EventSeq } from '../../schema/events/event-seq.ts';
import { RunPhase, RunStatus } from '../../schema/runs/run-phase.ts';
import { Run, RunPlan, RunProblem, RunSummary } from '../../schema/runs/run.ts';
import { CleanupRuns, ResumeRun, StartRun } from '../../schema/runs/run-requests.ts';
import { wholeNumberText } from '../../schema/tasks/query-number.ts';
import { SendTaskInput } from '../../schema/tasks/task-input.ts';
import type { Endpoint } from '../endpoint.ts';
import { ChangedRun, CHECKPOINT_ERRORS, RUN, RUN_PATH } from './run-params.ts';

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

export const RUN_ENDPOINTS = {
  startRun: {
    method: 'POST',
    path: '/api/runs',
    summary: 'Start a run: plan, execute, review and fix until it is complete.',
    role: 'operator',
    maxBytes: 512 * 1024,
    body: StartRun,
    responses: { 201: ChangedRun },
    errors: PLACE_ERRORS,
  },
  listRuns: {
    method: 'GET',
    path: '/api/runs',
    summary: 'List runs, newest first, and stored ones with a problem.',
    role: 'viewer',
    copied: '?limit=1000',
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
    path: RUN_PATH,
    summary: 'Get a run with its phases, rounds and what may be done now.',
    role: 'viewer',
    ...RUN,
    responses: { 200: Run },
    errors: CHECKPOINT_ERRORS,
  },
  stopRun: {
    method: 'POST',
    path: `${RUN_PATH}/stop`,
    summary: 'Stop a run; its worktree, branch and conversations are kept.',
    role: 'operator',
    ...RUN,
    body: z.strictObject({ reason: z.string().trim().max(500).nullish() }),
    responses: { 200: ChangedRun },
    errors: ['run_unknown', 'wrong_run_status'],
  },
  resumeRun: {
    method: 'POST',
    path: `${RUN_PATH}/resume`,
    summary: 'Resume a run that stopped, failed or was stored elsewhere.',
    role: 'operator',
    ...RUN,
    body: ResumeRun,
    responses: { 200: ChangedRun },
    errors: [
      ...CHECKPOINT_ERRORS,
      'wrong_run_status',
      'run_stale',
      'run_busy',
      'project_busy',
      'run_directory_missing',
      'outside_roots',
      'not_a_repository',
    ],
  },
  deleteRun: {
    method: 'DELETE',
    path: RUN_PATH,
    summary: 'Delete a run that has ended; its work is kept on its branch.',
    role: 'operator',
    ...RUN,
    query: z.strictObject({ cleanup_worktree: z.stringbool().default(true) }),
    responses: { 200: z.object({ kept: z.array(z.string()), seq: EventSeq }) },
    errors: ['run_unknown', 'run_busy', 'wrong_run_status', 'worktree_holds_work', 'git_failed'],
  },
  sendRunInput: {
    method: 'POST',
    path: `${RUN_PATH}/input`,
    summary: 'Send words to a run; the agent gets them before anything automatic.',
    role: 'operator',
    ...RUN,
    body: SendTaskInput.pick({ input: true, interrupt: true }),
    responses: { 202: z.object({ id: z.string(), seq: EventSeq }) },
    errors: ['run_unknown', 'wrong_run_status'],
  },
  getRunPlan: {
    method: 'GET',
    path: `${RUN_PATH}/plan`,
    summary: "Get the plan of a run, and the agent's own version.",
    role: 'viewer',
    ...RUN,
    responses: { 200: RunPlan },
    errors: [...CHECKPOINT_ERRORS, 'no_plan'],
  },
  editRunPlan: {
    method: 'PUT',
    path: `${RUN_PATH}/plan`,
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
    path: `${RUN_PATH}/plan/accept`,
    summary: 'Accept the plan as it is in its file; the run continues.',
    role: 'operator',
    ...RUN,
    body: z.strictObject({ hash: z.string().max(100) }),
    responses: { 200: ChangedRun },
    errors: ['run_unknown', 'no_plan', 'wrong_run_status', 'plan_changed'],
  },
} as const satisfies Record<string, Endpoint>;
