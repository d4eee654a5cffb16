/** What a run did: its conversation, checks, diff and report, and the merge of it. */
import { z } from 'zod';
import { WORK_PHASES } from '../../rules/work/run-phases.ts';
import { RunCheck } from '../../schema/runs/run.ts';
import { Interaction } from '../../schema/tasks/interaction.ts';
import { BranchName, WorkDiff } from '../../schema/tasks/project.ts';
import { wholeNumberText } from '../../schema/tasks/query-number.ts';
import type { Endpoint } from '../endpoint.ts';
import { ChangedRun, CHECKPOINT_ERRORS, RUN, RUN_PATH } from './run-params.ts';

export const RUN_WORK_ENDPOINTS = {
  getRunInteractions: {
    method: 'GET',
    path: `${RUN_PATH}/interactions`,
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
    path: `${RUN_PATH}/checks`,
    summary: 'Get the checks the host ran, with their output.',
    role: 'viewer',
    ...RUN,
    query: z.strictObject({ iteration: wholeNumberText(0, 10_000).optional() }),
    responses: { 200: z.object({ checks: z.array(RunCheck) }) },
    errors: ['run_unknown'],
  },
  getRunDiff: {
    method: 'GET',
    path: `${RUN_PATH}/diff`,
    summary: 'Get what the run changed: as a whole, or in one round.',
    role: 'viewer',
    ...RUN,
    query: z.strictObject({ iteration: wholeNumberText(0, 10_000).optional() }),
    responses: { 200: WorkDiff },
    errors: ['run_unknown', 'no_worktree', 'git_failed'],
  },
  getRunReport: {
    method: 'GET',
    path: `${RUN_PATH}/report`,
    summary: 'Get the report of a run that has ended, as Markdown.',
    role: 'viewer',
    ...RUN,
    responses: { 200: z.object({ text: z.string(), path: z.string() }) },
    errors: [...CHECKPOINT_ERRORS, 'no_report'],
  },
  mergeRun: {
    method: 'POST',
    path: `${RUN_PATH}/merge`,
    summary: 'Merge the work of a run into a local branch after its checks pass on the result.',
    role: 'operator',
    ...RUN,
    body: z.strictObject({ into: BranchName, squash: z.boolean().default(false) }),
    responses: { 200: ChangedRun.extend({ commit: z.string() }) },
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
